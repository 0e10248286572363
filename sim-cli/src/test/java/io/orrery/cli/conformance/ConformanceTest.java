package io.orrery.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.traces.TraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConformanceTest {
  /**
   * One request of 5 tokens and one output on a pool of blocks 1 to 3: it takes block 1, which
   * never fills, so it comes back to the front of the queue; one empty step delivers the finish.
   */
  private static final String TINY =
      """
      {"name":"tiny","config":{"block_size":16,"num_blocks":4,"max_num_batched_tokens":64,\
      "max_num_seqs":4,"max_model_len":100,"long_prefill_token_threshold":0,\
      "enable_prefix_caching":true,"enable_chunked_prefill":true,"policy":"fcfs",\
      "scheduler_reserve_full_isl":true,"async_scheduling":false,"watermark":0.0},\
      "requests":[{"id":"r0","arrival_step":0,"priority":0,"output_len":1,"finish":"length",\
      "arrival_time":0.0,"order":0,"keys":[],"prompt_len":5,"max_tokens":1}],"steps":[\
      {"n":0,"arr":["r0"],"s":{"run":[],"wait":["r0"],"sched":[["r0","N",0,5,1]],"total":5,\
      "preempt":[],"fin_notified":[],"ev":[["q","r0",0],["a",[1]]],"free":2,\
      "common_prefix_blocks":0},"u":{"tok":["r0"],"fin":[["r0","length"]],\
      "ev":[["f",[],[1],1]],"pcstat":[1,5,0,0,0,0],"of":0},"free_end":3,\
      "freeq_crc":294211051,"cached":0},\
      {"n":1,"s":{"run":[],"wait":[],"sched":[],"total":0,"preempt":[],"fin_notified":["r0"],\
      "ev":[],"free":3,"common_prefix_blocks":0},"u":{"tok":[],"fin":[],"ev":[],\
      "pcstat":[0,0,0,0,0,0],"of":1},"free_end":3,"freeq_crc":294211051,"cached":0}],\
      "final":{"running":[],"waiting":[],"freeq":[1,2,3],"unfinished":[]}}
      """;

  private final Conformance conformance = new Conformance();

  @Tag("report-46")
  @ParameterizedTest
  @CsvSource({
    "vllm-main-20260525-6f955986e.jsonl.gz, 122, 26015",
    "vllm-main-20260725-7a6a5b366.jsonl.gz, 128, 26984"
  })
  void agreesWithTheRealSchedulerInEveryStep(String file, int scenarios, long steps)
      throws IOException {
    Conformance.Result result = compare(recording(file));
    assertThat(result.firstDifference()).isNull();
    assertThat(result).isEqualTo(new Conformance.Result(scenarios, scenarios, steps, null));
  }

  /** What agrees above agrees while requests wait, too. */
  @Test
  @Tag("report-46")
  void requestsWaitInTheRecordings() throws IOException {
    Matcher waiting =
        Pattern.compile("\"wait\":\\[\"[^\\]]*]")
            .matcher(recording("vllm-main-20260725-7a6a5b366.jsonl.gz"));
    int steps = 0;
    long longest = 0;
    while (waiting.find()) {
      steps++;
      longest = Math.max(longest, waiting.group().chars().filter(c -> c == ',').count() + 1);
    }
    assertThat(steps).isGreaterThan(10_000);
    assertThat(longest).isGreaterThan(50);
  }

  @Test
  void agreesWithAScenarioWorkedByHand() throws IOException {
    // CRC-32 of "1,2,3" is 294211051.
    Conformance.Result result = compare(TINY);
    assertThat(result).isEqualTo(new Conformance.Result(1, 1, 2, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[\"r0\",\"N\",0,5,1] | [\"r0\",\"N\",0,4,1] | tiny step 0: s.sched: found",
        "\"free\":2 | \"free\":3 | tiny step 0: s.free: found 2, recorded 3",
        "[\"q\",\"r0\",0] | [\"q\",\"r0\",16] | tiny step 0: s.ev: found",
        "[\"r0\",\"length\"] | [\"r0\",\"stop\"] | tiny step 0: u.fin: found",
        "294211051,\"cached\":0}] | 1,\"cached\":0}] | tiny step 1: freeq_crc: found 294211051, recorded 1",
        "[1,2,3],\"unf | [3,2,1],\"unf | tiny final freeq: found [1,2,3], recorded [3,2,1]"
      })
  void findsOneChangedFact(String recorded, String changed, String difference) throws IOException {
    assertThat(TINY).contains(recorded);
    Conformance.Result result = compare(TINY.replace(recorded, changed));
    assertThat(result.scenarios()).isEqualTo(1);
    assertThat(result.equal()).isZero();
    assertThat(result.firstDifference()).startsWith("recording:1: " + difference);
  }

  @Test
  void findsThatTheLastStepIsMissing() throws IOException {
    // Without step 1 the finish of r0 is still to be delivered; queues and blocks look final.
    int from = TINY.indexOf(",{\"n\":1");
    String cut = TINY.substring(0, from) + TINY.substring(TINY.indexOf("],\"final\""));

    assertThat(compare(cut).firstDifference())
        .isEqualTo("recording:1: tiny after step 0: found work that is left, recorded nothing");
    assertThat(compare(cut.replace("{\"name\"", "{\"stuck\":true,\"name\"")).equal()).isOne();
  }

  @Test
  void findsAnotherListOfUnfinishedRequests() throws IOException {
    assertThat(
            compare(TINY.replace("\"unfinished\":[]", "\"unfinished\":[\"r0\"]")).firstDifference())
        .isEqualTo("recording:1: tiny final unfinished: found [], recorded [\"r0\"]");
  }

  @Test
  void whatIsNoRecordingIsNamed() {
    assertThatThrownBy(() -> compare(TINY + "oops\n"))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            "recording:2: found a line that is not JSON, expected one recorded scenario a line");
    assertThatThrownBy(() -> compare("{\"a\":1}"))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith("recording:1: found no scheduler recording, expected vLLM's");
  }

  private Conformance.Result compare(String text) throws IOException {
    return conformance.compare("recording", new BufferedReader(new StringReader(text)));
  }

  static String recording(String file) throws IOException {
    String data = System.getProperty("orrery.data", "");
    assumeTrue(!data.isEmpty(), "skipped: no recorded data, -Dorrery.data=DIR names its folder");
    Path path = Path.of(data, "golden", file);
    assumeTrue(Files.isReadable(path), "skipped: no " + path);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
      StringBuilder text = new StringBuilder();
      String line;
      while ((line = in.readLine()) != null) {
        text.append(line).append('\n');
      }
      return text.toString();
    }
  }
}
