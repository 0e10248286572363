package io.orrery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own shows: other virtual machines, signals, the environment. */
class ProcessIT {
  private static final Path JAR = Path.of("sim-cli/target/orrery.jar").toAbsolutePath();
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @TempDir Path folder;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    scenario = folder.resolve("small.yaml").toString();
    Files.writeString(
        Path.of(scenario),
        """
        trace: {files: small.jsonl, blockSize: 64}
        cluster: {pools: [{workers: 3}]}
        engine: {blockSize: 64, kvBlocks: 200}
        variants:
          - {name: luck, set: {routing.policy: random}}
          - {name: kv, set: {routing.policy: kv-aware, cache.completionReuse: 0.5}}
        """);
  }

  @Test
  void theSameBytesWithAndWithoutCompilers() throws Exception {
    Outcome plain = run(List.of(), Map.of(), "run", scenario, "--json");
    assertThat(plain.exitCode()).as(plain.err()).isZero();
    assertThat(plain.out()).contains("\"schemaVersion\": 1");

    for (String option : List.of("-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation")) {
      Outcome other = run(List.of(option), Map.of(), "run", scenario, "--json", "--threads", "2");
      assertThat(other.out()).as(option).isEqualTo(plain.out());
    }
    // Nor does the locale matter.
    Outcome turkish =
        run(
            List.of("-Duser.language=tr", "-Duser.country=TR", "-Dfile.encoding=ISO-8859-1"),
            Map.of(),
            "run",
            scenario,
            "--json");
    assertThat(turkish.out()).isEqualTo(plain.out());
  }

  @Test
  void anInterruptedRunEndsWith130AndLeavesNothing() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "skipped: signals need /bin/kill");
    assumeFalse(interruptsAreIgnored(), "skipped: started where interrupts are ignored");
    List<String> before = names();
    Process process =
        start(
            List.of(),
            Map.of(),
            "run",
            scenario,
            "-o",
            folder.resolve("result").toString(),
            "--set",
            "trace.dispatch=lanes",
            "--set",
            "trace.lanes.recycle=true",
            "--set",
            "trace.lanes.limit=1000000000");
    // The first note is printed when everything is read, just before the replay.
    assertThat(process.errorReader().readLine()).isNotNull();

    new ProcessBuilder("/bin/kill", "-INT", Long.toString(process.pid())).start().waitFor();

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(process.inputReader().readLine()).isNull();
    assertThat(names()).isEqualTo(before);
  }

  /** A shell's background jobs, and all that they start, ignore SIGINT (signal 2). */
  private static boolean interruptsAreIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16) & 2) != 0;
      }
    }
    return false;
  }

  @Test
  void stackTracesAreForThoseWhoAsk() throws Exception {
    String[] bad = {"run", scenario, "--set", "engine.blockSize=7"};

    assertThat(run(List.of(), Map.of(), bad).err()).hasLineCount(1);
    assertThat(run(List.of(), Map.of("ORRERY_DEBUG", "1"), bad).err()).contains("\tat io.orrery.");
  }

  @Test
  void colourFollowsTerminalAndEnvironment() throws Exception {
    List<String> screen = List.of("-Dorrery.stdout.tty=true");

    assertThat(run(screen, Map.of(), "run", scenario).out()).contains("\u001b[32m");
    assertThat(run(screen, Map.of("NO_COLOR", "1"), "run", scenario).out())
        .doesNotContain("\u001b");
    assertThat(run(screen, Map.of("NO_COLOR", "1"), "run", scenario, "--color=always").out())
        .contains("\u001b[32m");
    assertThat(run(List.of(), Map.of(), "run", scenario).out()).doesNotContain("\u001b");
  }

  @Test
  void aFullDiskIsNotPassedOverInSilence() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "skipped: needs /dev/full");
    Process process =
        builder(List.of(), Map.of(), "run", scenario, "--json", "-q")
            .redirectOutput(full.toFile())
            .start();

    assertThat(process.errorReader().readLine()).contains("standard output", "No space left");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private record Outcome(int exitCode, String out, String err) {}

  private List<String> names() throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static Outcome run(
      List<String> options, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("orrery", ".out");
    Path err = Files.createTempFile("orrery", ".err");
    try {
      Process process =
          builder(options, environment, arguments)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
      return new Outcome(
          process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static Process start(
      List<String> options, Map<String, String> environment, String... arguments)
      throws IOException {
    return builder(options, environment, arguments).start();
  }

  private static ProcessBuilder builder(
      List<String> options, Map<String, String> environment, String... arguments) {
    List<String> words = new ArrayList<>(List.of(JAVA.toString(), "-XX:+UseSerialGC"));
    words.addAll(options);
    words.addAll(List.of("-cp", JAR.toString(), "io.orrery.cli.Main"));
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder
        .environment()
        .keySet()
        .removeIf(
            name -> {
              String upper = name.toUpperCase(Locale.ROOT);
              return upper.contains("JAVA") || upper.equals("NO_COLOR") || upper.equals("CI");
            });
    builder.environment().putAll(environment);
    return builder;
  }
}
