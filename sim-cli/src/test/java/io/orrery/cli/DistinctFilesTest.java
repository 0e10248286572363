package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No command destroys what it reads, or one result by another. */
class DistinctFilesTest {
  @TempDir Path folder;

  private TraceFolder files;
  private byte[] before;

  @BeforeEach
  void writeTraces() throws IOException {
    files = new TraceFolder(folder);
    before = Files.readAllBytes(folder.resolve("small.jsonl"));
    Files.writeString(
        folder.resolve("s.yaml"),
        "trace: {files: small.jsonl, blockSize: 64}\nengine: {blockSize: 64}\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "trace validate @small.jsonl --quarantine @small.jsonl",
        "trace stats @small.jsonl --quarantine @small.jsonl",
        "trace stats @small.jsonl --block-size 64 --html @small.jsonl",
        "trace convert @small.jsonl --block-size 64 --to mooncake -o @small.jsonl",
        "trace convert @ --block-size 64 --to mooncake -o @small.jsonl",
        "trace convert @small.jsonl --block-size 64 --to mooncake -o @../FOLDER/small.jsonl",
        "trace synthesize --like @small.jsonl --block-size 64 -o @small.jsonl",
        "trace synthesize --like @small.jsonl --block-size 64 -o @x --save-profile @small.jsonl",
        "trace import pi @ -o @small.jsonl",
        "run @s.yaml --decisions @small.jsonl",
        "run @s.yaml --timing @small.jsonl",
        "run --trace @small.jsonl --timing @small.jsonl",
        "run --trace @small.jsonl --quarantine @small.jsonl",
        "run @s.yaml --quarantine @small.jsonl",
        "check @s.yaml --baseline @b --update-baseline --quarantine @small.jsonl"
      })
  void whatIsReadIsNotWritten(String line) throws IOException {
    Outcome outcome = files.run(line.replace("FOLDER", folder.getFileName().toString()));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("small.jsonl: found ").contains("expected another file");
    assertThat(Files.readAllBytes(folder.resolve("small.jsonl"))).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "trace convert @small.jsonl --block-size 64 --quarantine @x -o @x",
        "trace stats @small.jsonl --html @x --quarantine @x",
        "trace synthesize --profile chat --requests 10 --rate 1 -o @x --save-profile @x",
        "run @s.yaml --decisions @x --timing @x",
        "run @s.yaml --quarantine @x --timing @x",
        "check @s.yaml --quarantine @x --junit @x"
      })
  void twoResultsHaveTwoFiles(String line) {
    Outcome outcome = files.run(line);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("found the file of -").contains("expected another one");
    assertThat(folder.resolve("x")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--timing", "--timeline", "--quarantine"})
  void noneOfThemIsAFileOfTheFolder(String option) throws IOException {
    Files.createDirectory(folder.resolve("out"));

    for (String name : List.of("summary.json", "report.json")) {
      Outcome outcome = files.run("run @s.yaml -o @out " + option + " @out/" + name);

      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err())
          .contains(option + " " + files.in("out/" + name) + ": found a file of -o ")
          .contains("expected another one");
    }
    assertThat(folder.resolve("out")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "trace convert @small.jsonl --block-size 64 --to mooncake -o -",
        "trace stats @small.jsonl --html=-",
        "trace synthesize --profile chat --requests 10 --rate 1 -o @x --save-profile -",
        "run @s.yaml --timing -",
        "run @s.yaml --quarantine -",
        "check @s.yaml --baseline - --update-baseline",
        "check @s.yaml --junit -"
      })
  void aFileIsNotStandardOutput(String line) {
    Outcome outcome = files.run(line);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains(
            " -: found standard output, expected a file, since results are written to files only");
    assertThat(Path.of("-")).doesNotExist();
  }

  @Test
  void norIsAFolder() {
    assertThat(files.run("run @s.yaml -o -").err())
        .isEqualTo(
            "orrery: -o -: found standard output, expected a folder, since results are written to"
                + " files only\n");
    assertThat(Path.of("-")).doesNotExist();
  }

  @Test
  void aLinkIsWrittenThrough() throws IOException {
    Path target = Files.writeString(folder.resolve("target.jsonl"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.jsonl"), target);

    files
        .run("trace convert @small.jsonl --block-size 64 --to mooncake -o @link.jsonl")
        .succeeded();

    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(target)).startsWith("{\"session_id\"");
    Files.createSymbolicLink(folder.resolve("input.jsonl"), folder.resolve("small.jsonl"));
    assertThat(files.run("trace convert @small.jsonl --to mooncake -o @input.jsonl").status())
        .isEqualTo(2);
  }

  @Test
  void devicesAreNoFiles() {
    assertThat(Orrery.run("trace", "convert", files.in("small.jsonl"), "-o", "/dev/null").err())
        .contains("-o /dev/null: found a pipe or a device, expected a file");
    Outcome outcome = Orrery.run("trace", "stats", "/dev/null");
    assertThat(outcome.status()).isEqualTo(3);
    assertThat(outcome.err())
        .contains("/dev/null: found a pipe or a device, expected a file, since it is read twice");
  }

  @Test
  void optionsThatContradictTheFileOrOneAnotherAreRefused() {
    files.run("trace convert @small.jsonl --block-size 64 -o @t.parquet").succeeded();

    assertThat(files.run("trace stats @t.parquet --block-size 7").err())
        .contains("t.parquet: block size: found 64, expected 7, as asked for");
    assertThat(files.run("trace stats @t.parquet --block-size 64").status()).isZero();
    assertThat(files.run("trace stats @small.jsonl --format azure --map input=a,output=b").err())
        .contains("--map: found --format azure beside it, expected one of the two");
    assertThat(files.run("trace scale @small.jsonl -o @x.jsonl").err())
        .contains("scale: found neither --load nor --waits, expected one other than 1");
    assertThat(files.run("trace convert @small.jsonl --to mooncak -o @x.jsonl").err())
        .contains("--to: found mooncak, expected a format that can be written: ")
        .contains("did you mean mooncake?")
        .doesNotContain("azure");
  }
}
