package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.traces.synthesis.AgentTraceSynthesizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces that are made of traces hold what every trace promises. */
class TraceEditsTest {
  private static final long MS = 1_000_000;

  @TempDir Path folder;

  /** Two root sessions on one clock, one of them with a child. */
  private static Trace family() {
    return Trace.builder(64)
        .session("a")
        .request("a1")
        .input(128)
        .output(10)
        .blocks(1, 2)
        .arrival(100 * MS)
        .session("b")
        .request("b1")
        .input(128)
        .output(10)
        .blocks(1, 7)
        .arrival(150 * MS)
        .session("c", "a")
        .request("c1")
        .input(64)
        .output(1)
        .blocks(5)
        .after("a1", EdgeTrigger.DISPATCH, 20 * MS)
        .session("a")
        .request("a2")
        .input(192)
        .output(10)
        .blocks(1, 2, 3)
        .afterPrevious(400 * MS)
        .build();
  }

  /** Nothing of one prompt is known, and a part of another. */
  private static Trace hardlyKnown() {
    return Trace.builder(64)
        .session("a")
        .request("a1")
        .input(128)
        .blocks(1, 2)
        .arrival(0)
        .session("b")
        .request("b1")
        .input(128)
        .arrival(1)
        .session("c")
        .request("c1")
        .input(200)
        .blocks(1)
        .arrival(2)
        .build();
  }

  /** Counters are not kept by all that is done with a trace, so reading counts again. */
  @Test
  void promptsWithoutIdentityAreFoundWhateverATraceWentThrough() throws IOException {
    Trace azure =
        TraceText.read("TIMESTAMP,ContextTokens,GeneratedTokens", "2024-05-10 00:00:00.0,2162,5");
    List<Trace> made =
        List.of(
            hardlyKnown(),
            TraceAnonymisation.of(hardlyKnown(), "salt".getBytes(UTF_8), MS),
            TraceMerge.of(List.of(family(), azure)),
            azure,
            family());
    List<String> found = new ArrayList<>();
    for (Trace trace : made) {
      Path file = folder.resolve("t.parquet");
      TraceWriters.of(TraceFormat.ORRERY).orElseThrow().write(trace, file);
      found.add(
          TraceReaders.open(List.of(file), TraceOptions.defaults()).findings().all().stream()
              .map(finding -> finding.severity() + " " + finding.what() + " " + finding.count())
              .collect(Collectors.joining(", ")));
    }

    String both =
        "WARNING requests without block hashes 1, WARNING prompts with fewer hashes than full"
            + " blocks, the rest unidentified 1";
    assertThat(found)
        .containsExactly(both, both, "WARNING requests without block hashes 1", "", "");
  }

  /** Its file is read again, which checks every promise, and is equal. */
  private Trace sound(Trace trace) throws IOException {
    Path file = folder.resolve("t.parquet");
    TraceWriters.of(TraceFormat.ORRERY).orElseThrow().write(trace, file);
    Trace again = TraceReaders.read(file);
    assertThat(again.digest()).isEqualTo(trace.digest());
    return trace;
  }

  @Test
  void aSampleOfAllIsTheTrace() throws IOException {
    for (Trace trace : List.of(family(), AgentTraceSynthesizer.trace(3, 500))) {
      assertThat(sound(TraceSelection.sample(trace, Integer.MAX_VALUE, 1)).digest())
          .isEqualTo(trace.digest());
    }
  }

  @Test
  void aSampleHasWholeTreesAndContainsSmallerOnes() throws IOException {
    Trace trace = AgentTraceSynthesizer.trace(3, 3_000);

    Trace few = sound(TraceSelection.sample(trace, 20, 7));
    Trace more = sound(TraceSelection.sample(trace, 40, 7));

    assertThat(few.sessionCount()).isEqualTo(20);
    assertThat(sessionLengths(more)).containsAll(sessionLengths(few));
    assertThat(TraceSelection.sample(trace, 20, 8).digest()).isNotEqualTo(few.digest());
    Trace tree = TraceSelection.sample(family(), 1, 1);
    assertThat(tree.requestCount()).isIn(1, 3);
    assertThat(tree.blockCount()).isIn(2L, 4L);
  }

  /** What was odd in the file was not odd in each part of it. */
  @Test
  void aSampleSaysThatCountsAreOfTheWhole() {
    TraceProvenance odd = family().provenance().counting(Map.of("requests without hashes", 3L));
    Trace trace = new Trace(family().columns().under(odd));
    Trace sample = TraceSelection.sample(TraceSelection.sample(trace, 2, 1), 1, 1);

    assertThat(sample.provenance().counters())
        .containsExactly(
            Map.entry(
                "requests without hashes (in the whole trace that a part was taken from)", 3L));
  }

  private static List<String> sessionLengths(Trace trace) {
    return java.util.stream.IntStream.range(0, trace.sessionCount())
        .mapToObj(s -> trace.inputTokens(trace.firstRequest(s)) + " " + trace.requestCount(s))
        .toList();
  }

  @Test
  void mergedTracesKeepTheirBlocksApartAndStandByTime() throws IOException {
    Trace merged = sound(TraceMerge.of(List.of(family(), family())));

    assertThat(merged.requestCount()).isEqualTo(8);
    assertThat(merged.blockCount()).isEqualTo(2 * family().blockCount());
    assertThat(merged.sessionId(0)).isEqualTo("a");
    assertThat(merged.sessionId(1)).isEqualTo("2:a");
    assertThat(merged.requestId(1)).isEqualTo("2:a1");
    long one = TraceStatistics.of(family()).reusedTokens();
    assertThat(TraceStatistics.of(merged).reusedTokens()).isEqualTo(2 * one);
  }

  @Test
  void tracesOfDifferentKindsAreNotMerged() {
    Trace other =
        Trace.builder(32).session("x").request("x1").arrival(0).input(32).blocks(1).build();
    Trace clockless =
        Trace.builder(64).sharedClock(false).session("x").request("x1").arrival(0).build();

    assertThatThrownBy(() -> TraceMerge.of(List.of(family(), other)))
        .hasMessageContaining("blocks of 64 and of 32");
    assertThatThrownBy(() -> TraceMerge.of(List.of(family(), clockless)))
        .hasMessageContaining("share a clock");
  }

  @Test
  void aTraceWithoutBlocksGoesWithBlocksOfAnySize() throws IOException {
    Trace lengthsOnly = Trace.builder(16).session("x").request("x1").arrival(0).input(100).build();

    Trace merged = sound(TraceMerge.of(List.of(lengthsOnly, family())));

    assertThat(merged.blockSize()).isEqualTo(64);
    assertThat(merged.requestCount()).isEqualTo(5);
    assertThat(TraceStatistics.of(merged).reusedTokens())
        .isEqualTo(TraceStatistics.of(family()).reusedTokens());
  }

  @Test
  void shiftedTracesStartLater() throws IOException {
    Trace shifted = sound(TraceTimes.shifted(family(), 50 * MS));

    assertThat(shifted.arrivalNanos(0)).isEqualTo(150 * MS);
    assertThat(shifted.arrivalNanos(3)).isEqualTo(Trace.NO_TIME);
    assertThatThrownBy(() -> TraceTimes.shifted(family(), -101 * MS))
        .hasMessageContaining("expected 0 s");
  }

  @Test
  void loadBringsRootSessionsTogetherAndWaitsStretchTurns() throws IOException {
    Trace scaled = sound(TraceTimes.scaled(family(), 2, 3));

    assertThat(scaled.arrivalNanos(scaled.firstRequest(0))).isEqualTo(50 * MS);
    assertThat(scaled.requestId(0)).isEqualTo("a1");
    assertThat(scaled.requestId(1)).isEqualTo("b1");
    assertThat(scaled.arrivalNanos(1)).isEqualTo(75 * MS);
    int child = scaled.requestId(2).equals("c1") ? 2 : 3;
    assertThat(scaled.edgeTrigger(scaled.edgeStart(child))).isEqualTo(EdgeTrigger.DISPATCH);
    assertThat(scaled.edgeDelayNanos(scaled.edgeStart(child))).isEqualTo(60 * MS);
    assertThat(TraceTimes.scaled(family(), 1, 1).digest()).isEqualTo(family().digest());
  }

  @Test
  void recordedStartsMoveAlongWithTheWaitsBeforeThem() throws IOException {
    Trace trace =
        Trace.builder(64)
            .session("a")
            .request("a1")
            .arrival(100 * MS)
            .request("a2")
            .arrival(400 * MS)
            .afterPrevious(200 * MS)
            .build();

    Trace scaled = sound(TraceTimes.scaled(trace, 1, 0.5));

    assertThat(scaled.arrivalNanos(1)).isEqualTo(300 * MS);
    assertThat(scaled.edgeDelayNanos(0)).isEqualTo(100 * MS);
  }

  @Test
  void anonymisedTracesHaveNoNamesAndEqualOnesStayEqual() throws IOException {
    Path file = folder.resolve("d.jsonl");
    Files.writeString(
        file,
        """
        {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":1777312801003,\
        "agent_context":{"session_id":"alice-secret"},"request":{"request_id":"bob-1","model":"acme-model",\
        "input_tokens":128,"output_tokens":16,"request_received_ms":1777312800000,"total_time_ms":1003,\
        "replay":{"trace_block_size":64,"input_length":128,"input_sequence_hashes":[14879255164371896291,7]},\
        "finish_reason_metadata":{"finish_reason":"tool_calls","tool_calls":[{"name":"grep_secret"}]}}}
        """);
    Trace trace = TraceReaders.read(file);

    Trace anonymous = sound(TraceAnonymisation.of(trace, "salt".getBytes(UTF_8), 10 * MS));

    Path written = folder.resolve("a.jsonl");
    TraceWriters.of(TraceFormat.DYNAMO).orElseThrow().write(anonymous, written);
    assertThat(Files.readString(written))
        .doesNotContain("alice", "bob", "acme", "grep", "14879255164371896291", "d.jsonl")
        .contains("tool_calls");
    assertThat(new String(Files.readAllBytes(folder.resolve("t.parquet")), UTF_8))
        .doesNotContain("alice", "bob", "acme", "grep", "d.jsonl");
    assertThat(anonymous.recordedTotalNanos(0)).isEqualTo(1_000 * MS);
    assertThat(anonymous.sessionId(0))
        .isEqualTo(TraceAnonymisation.of(trace, "salt".getBytes(UTF_8), MS).sessionId(0))
        .isNotEqualTo(TraceAnonymisation.of(trace, "other".getBytes(UTF_8), MS).sessionId(0));
  }
}
