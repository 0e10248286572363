package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.cli.Orrery.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bad input is refused in a line that says where, what and what would have been right, with the
 * right exit code, and nothing else happens. What is accepted is counted.
 */
class BadInputTest {
  private static final String GOOD =
      "{'timestamp': 0, 'input_length': 600, 'output_length': 3, 'hash_ids': [0, 1]}";

  @TempDir Path folder;

  private Outcome runTrace(byte[] content) throws IOException {
    Path trace = folder.resolve("t.jsonl");
    Files.write(trace, content);
    return Orrery.run("run", "--trace", trace.toString(), "--set", "engine.blockSize=512");
  }

  private Outcome runTrace(String content) throws IOException {
    return runTrace(content.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private void assertRefused(int status, Outcome outcome, String... parts) {
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().toList())
        .hasSizeLessThanOrEqualTo(3)
        .first()
        .asString()
        .startsWith("orrery: ");
    assertThat(outcome.err()).contains(parts).doesNotContain("Exception", "\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          hello                                                                                | not JSON
          {'timestamp': NaN, 'input_length': 6, 'output_length': 3, 'hash_ids': []}            | timestamp: found NaN
          {'timestamp': -5, 'input_length': 6, 'output_length': 3, 'hash_ids': []}             | timestamp: found -5
          {'input_length': 6, 'output_length': 3, 'hash_ids': []}                              | timestamp: found nothing
          {'timestamp': 0, 'input_length': '6', 'output_length': 3, 'hash_ids': []}            | input_length: found the string "6"
          {'timestamp': 0, 'input_length': 99999999999999999999, 'output_length': 3}           | input_length: found 99999999999999999999
          {'timestamp': 0, 'input_length': 600, 'output_length': 3, 'hash_ids': [0, 1, 2]}     | hash_ids: found 3 hashes
          {'timestamp': 0, 'input_length': 600, 'output_length': 3.5, 'hash_ids': [0]}         | output_length: found 3.5
          """)
  void aBadLineIsNamedByFileLineFieldValueAndExpectation(String line, String expected)
      throws IOException {
    assertRefused(3, runTrace(GOOD + "\n" + line + "\n"), "t.jsonl:2: ", expected, "expected ");
  }

  @Test
  void badFiles() throws IOException {
    assertRefused(3, runTrace(""), "t.jsonl: found an empty file");
    assertRefused(3, runTrace(new byte[] {0x1f, 0x00, 0x7f, 0x01}), "t.jsonl: found binary data");
    byte[] zipped = gzip((GOOD + "\n").repeat(2000));
    assertRefused(
        3, runTrace(Arrays.copyOf(zipped, zipped.length / 2)), "t.jsonl: found", "truncated");
    assertRefused(
        3, Orrery.run("run", "--trace", folder.resolve("no").toString()), "no: found no such file");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertRefused(3, Orrery.run("run", "--trace", empty.toString()), "expected files ending in");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      // Numbered, so that the packed file is long enough to be cut.
      for (int i = 0; i < 200; i++) {
        out.write(
            text.replace('\'', '"')
                .replace(": 0,", ": " + i * 7919 % 1000 + ",")
                .getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void sessionsMustMakeSense() throws IOException {
    String request = "'t': 0, 'in': 64, 'out': 1, 'hash_ids': [1]";
    String session =
        "{'id': 's', 'models': ['m'], 'block_size': 64, 'hash_id_scope': 'local', 'tool_tokens': 0,"
            + " 'system_tokens': 0, 'requests': [{'type': 's', 'model': 'm', "
            + request
            + "}]}\n";

    assertRefused(3, runTrace(session + session), "t.jsonl:2: ", "s");
    assertRefused(3, runTrace("{'id': 's', 'requests': 5}\n"), "t.jsonl", "requests");
  }

  @Test
  void oddButHarmlessTracesAreAcceptedAndCounted() throws IOException {
    String late = GOOD.replace("'timestamp': 0", "'timestamp': 9");
    assertThat(runTrace(late + "\n" + GOOD + "\n").succeeded().err())
        .contains("Trace: rows out of time order, sorted: 1.");
    assertThat(runTrace(GOOD.replace("'output_length': 3", "'output_length': 0")).succeeded().err())
        .contains("Trace: requests without output, replayed as one token: 1.");
    String plain = runTrace(GOOD + "\n").succeeded().out();
    assertThat(runTrace("\ufeff" + GOOD + "\r\n\r\n").succeeded().out()).isEqualTo(plain);
  }

  @Test
  void aPromptThatNoWorkerTakesIsRejectedAndCounted() throws IOException {
    Outcome outcome =
        runTrace(GOOD.replace("600", "600000000").replace("[0, 1]", "[0]")).succeeded();

    assertThat(outcome.out()).contains("No request got a token: 1 sent, 1 rejected");
    String reason =
        "prompts longer than 262,143 tokens (the most that a worker takes beside one output"
            + " token), the longest 600,000,000";
    assertThat(outcome.err()).contains("Rejected: " + reason + ": 1.");
    String trace = folder.resolve("t.jsonl").toString();
    String json =
        Orrery.run("run", "--json", "--trace", trace, "--set", "engine.blockSize=512").out();
    assertThat(json.replaceAll("\\s+", " "))
        .contains("\"rejections\": [ { \"reason\": \"" + reason + "\", \"count\": 1 } ]");
  }

  private Outcome runScenario(byte[] content) throws IOException {
    Path file = folder.resolve("s.yaml");
    Files.write(file, content);
    SmallTrace.write(folder.resolve("t.jsonl"));
    return Orrery.run("run", file.toString());
  }

  private Outcome runScenario(String content) throws IOException {
    return runScenario(content.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          engine: {blocksize: 64}                        | s.yaml:2: engine.blocksize: found an unknown key   | blockSize
          slo: {ttft: 2}                                 | s.yaml:2: slo.ttft: found 2                        | a duration such as "2 s"
          slo: {ttft: 2 parsec}                          | s.yaml:2: slo.ttft: found "2 parsec"               | units: ns, us, ms
          engine: {blockSize: 64.5}                      | s.yaml:2: engine.blockSize: found 64.5             | a whole number from 1
          engine: {blockSize: [64]}                      | s.yaml:2: engine.blockSize: found a list           | a whole number from 1
          seed: -1                                       | s.yaml:2: seed: found -1                           | a whole number from 0
          cluster: {pools: [{gpu: b20}]}                 | s.yaml:2: cluster.pools[0].gpu: found b20          | did you mean b200?
          routing: {policy: kv_awar}                     | s.yaml:2: routing.policy                           | kv-aware
          engine: {blockSize: 100}                       | s.yaml:2: engine.blockSize: found 100              | divides the trace's blocks of 64
          trace: {format: weka}                          | s.yaml:2: trace: found the key a second time       | once
          """)
  void aBadKeyIsNamedByFileLinePathValueAndExpectation(String line, String found, String expected)
      throws IOException {
    assertRefused(
        2, runScenario("trace: {files: t.jsonl, blockSize: 64}\n" + line + "\n"), found, expected);
  }

  @Test
  void badScenarioFiles() throws IOException {
    assertRefused(2, runScenario(""), "s.yaml", "expected");
    assertRefused(2, runScenario(new byte[] {0, 1, 2, (byte) 0xff}), "s.yaml", "expected");
    assertRefused(2, runScenario("a: [1\n"), "s.yaml:", "expected");
    assertRefused(2, Orrery.run("run", folder.resolve("no.yaml").toString()), "no.yaml");
    assertRefused(2, Orrery.run("run"), "trace.files: found nothing");
    assertRefused(2, Orrery.run("run", "--set", "nonsense"), "--set", "PATH=VALUE");
  }

  @Test
  void linesMayEndAsOnWindowsAndAFileMayBeginWithAMark() throws IOException {
    String scenario = "trace: {files: t.jsonl, blockSize: 64}\nengine: {blockSize: 64}\n";
    String plain = runScenario(scenario).succeeded().out();

    assertThat(runScenario("\ufeff" + scenario.replace("\n", "\r\n")).succeeded().out())
        .isEqualTo(plain);
  }

  @Test
  void anEmptyPathIsNotTheCurrentFolder() throws IOException {
    Outcome option = Orrery.run("run", "--trace", "");
    assertRefused(
        2, option, "command line: --trace: found an empty path, expected a file or folder");
    String key = "s.yaml:1: trace.files: found an empty path, expected a file or folder";
    assertRefused(2, runScenario("trace: {files: ''}\n"), key);
    assertRefused(2, runScenario("trace: {files: [t.jsonl, '']}\n"), key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "engine.kvBlocks=2147483647        | engine.kvBlocks: found 2147483647 | from 2 to 134217728",
        "stepTime.stepOverhead=100000 h    | stepTime.stepOverhead: found      | at most 1 h",
        "cluster.pools.main.workers=100000 | workers: found 100000             | from 1 to 65536"
      })
  void valuesBeyondTheModelAreRefused(String setting, String found, String expected) {
    assertRefused(2, Orrery.run("config", "--effective", "--set", setting), found, expected);
  }

  @Test
  void aFolderThatCannotBeWrittenIsRefusedBeforeTheRun() {
    assumeTrue(Files.isDirectory(Path.of("/proc")), "skipped: no /proc, which takes no files");
    assertRefused(2, Orrery.run("run", "-o", "/proc/foo"), "-o /proc/foo: ", "writ");
  }

  /** Never a file that the user does not have: the setting that was written, or who gave it. */
  @Test
  void whatDoesNotFitIsBlamedOnWhatWasWritten() throws IOException {
    String trace = SmallTrace.write(folder.resolve("t.jsonl")).toString();

    assertRefused(
        2,
        Orrery.run("run", "--trace", trace, "--set", "trace.blockSize=7"),
        "--set: trace.blockSize: found 7, expected a size that divides engine.blockSize, 16"
            + " (preset vllm-2026-07), or a multiple of it");
    assertRefused(
        2,
        runScenario(
            "trace: {files: t.jsonl, blockSize: 64}\n"
                + "cluster: {pools: [{gpuMemoryUtilization: 0.1}]}\n"),
        "s.yaml:2: cluster.pools[0].gpuMemoryUtilization: found 0.1, expected enough memory, but ");
  }

  @Test
  void modelsThatDoNotFitOrCannotBeReadAreNamed() throws IOException {
    SmallTrace.write(folder.resolve("t.jsonl"));
    String trace = "trace: {files: t.jsonl, blockSize: 64}\n";
    assertRefused(
        2,
        runScenario(trace + "cluster: {pools: [{model: minimax-m2, gpu: h100}]}\n"),
        "s.yaml:2: cluster.pools[0].model: found minimax-m2, expected enough memory, but ",
        "361.10 GiB missing per GPU",
        "fits with tensorParallel 8");
    Files.writeString(
        folder.resolve("bad.json"), "{\"model_type\": \"llama\",\n\"vocab_size\": -1}");
    assertRefused(
        2,
        runScenario(trace + "cluster: {pools: [{model: ./bad.json}]}\n"),
        "s.yaml:2: cluster.pools[0].model: found ./bad.json, expected a model's config.json, but ",
        "bad.json: num_hidden_layers: missing, expected a whole number from 1 up");
  }

  @Test
  void recordingsThatCannotBeReadAreNamed() throws IOException {
    Path binary = folder.resolve("binary.jsonl");
    Files.write(binary, new byte[] {1, 2, (byte) 0xff});
    assertRefused(
        3,
        Orrery.run("conformance", binary.toString()),
        "orrery: "
            + binary
            + ":1: found a line that is not JSON, expected one recorded scenario a line");
    assertRefused(
        3,
        Orrery.run("conformance", folder.toString()),
        "orrery: " + folder + ": found a folder, expected a recording, plain or gzip");
    assertRefused(
        3,
        Orrery.run("conformance", "/nonexist"),
        "orrery: /nonexist: found no such file, expected a recording, plain or gzip");
  }

  @Test
  void badOptions() {
    assertRefused(2, Orrery.run("run", "--jsn"), "Unknown option: '--jsn'", "--json", "--help");
    assertRefused(2, Orrery.run("run", "a.yaml", "b.yaml"), "b.yaml", "--help");
    assertRefused(2, Orrery.run("rnu"), "found rnu", "did you mean run?", "--help");
    assertRefused(2, Orrery.run("run", "--seed", "1.5"), "--seed", "1.5");
  }
}
