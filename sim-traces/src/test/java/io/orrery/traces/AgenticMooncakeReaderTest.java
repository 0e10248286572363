package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Graphs of several plays, as other tools lower corpora of sessions to. */
class AgenticMooncakeReaderTest {
  private static final String HEADER =
      """
      {"schema":"dynamo.agentic_mooncake","version":2,"block_size":64,"hash_id_scope":"local",\
      "source":{"format":"weka","digest":"d"}}""";

  private static String row(String request, String play, String session, double start) {
    return """
    {"request_id":"%s","play_id":"%s","session_id":"%s","model":"m","input_length":128,"output_length":4,\
    "hash_ids":[1,2],"not_before_ms":%s}"""
        .formatted(request, play, session, start);
  }

  private static String next(String request, String play, String session, String after) {
    return """
    {"request_id":"%s","play_id":"%s","session_id":"%s","model":"m","input_length":192,"output_length":4,\
    "hash_ids":[1,2,3],"not_before_ms":900,\
    "dependencies":[{"request_id":"%s","trigger":"completion","delay_ms":7.5,"relation":"sequence"}]}"""
        .formatted(request, play, session, after);
  }

  @Test
  void playsThatAllBeginAtZeroHaveNoClockInCommon() {
    Trace trace =
        TraceText.read(
            HEADER,
            row("a0", "p", "s", 0),
            next("a1", "p", "s", "a0"),
            row("b0", "q", "t", 0),
            next("b1", "q", "t", "b0"));

    assertThat(trace.sharedClock()).isFalse();
    assertThat(trace.provenance().notes())
        .contains("Every play begins at 0: plays have no clock in common.");
    assertThat(trace.edgeDelayNanos(trace.edgeStart(1))).isEqualTo(7_500_000);
  }

  @Test
  void playsThatBeginAtTheirOwnTimesShareAClock() {
    Trace trace = TraceText.read(HEADER, row("a0", "p", "s", 0), row("b0", "q", "t", 250));

    assertThat(trace.sharedClock()).isTrue();
    assertThat(trace.arrivalNanos(1)).isEqualTo(250_000_000);
  }

  @Test
  void hashesAreOfAPlayUnlessTheirScopeIsGlobal() {
    String[] rows = {row("a0", "p", "s", 0), row("b0", "q", "t", 250)};

    Trace local = TraceText.read(HEADER, rows[0], rows[1]);
    Trace global = TraceText.read(HEADER.replace("local", "global"), rows[0], rows[1]);

    assertThat(local.blockCount()).isEqualTo(4);
    assertThat(global.blockCount()).isEqualTo(2);
    assertThat(global.runFirst(global.runStart(1))).isEqualTo(global.runFirst(global.runStart(0)));
  }

  @Test
  void versionsAndScopesThatNobodyKnowsAreRefused() {
    String row = row("a0", "p", "s", 0);

    assertThatThrownBy(() -> TraceText.read(HEADER.replace(":2,", ":3,"), row))
        .hasMessageContaining("trace.jsonl:1: version: found 3, expected 1 or 2");
    assertThatThrownBy(() -> TraceText.read(HEADER.replace(":2,", ":\"x\","), row))
        .hasMessageContaining("trace.jsonl:1: version: found x, expected 1 or 2");
    assertThatThrownBy(() -> TraceText.read(HEADER.replace("local", "banana"), row))
        .hasMessageContaining(
            "trace.jsonl:1: hash_id_scope: found \"banana\", expected \"local\" or \"global\"");
    assertThatThrownBy(() -> TraceText.read(HEADER, row, HEADER.replace("local", "global"), row))
        .hasMessageContaining("trace.jsonl:3: hash_id_scope: found \"global\"");
  }

  @Test
  void onePlayHasOneClock() {
    Trace trace = TraceText.read(HEADER, row("a0", "p", "s", 0), row("a1", "p", "t", 0));

    assertThat(trace.sharedClock()).isTrue();
    assertThat(trace.runFirst(trace.runStart(0))).isEqualTo(trace.runFirst(trace.runStart(1)));
  }

  @Test
  void sessionsAndHashesBelongToTheirPlay() {
    Trace trace =
        TraceText.read(
            HEADER,
            row("a0", "p", "main", 0),
            row("b0", "q", "main", 0),
            next("a1", "p", "main", "a0"),
            next("b1", "q", "main", "b0"));

    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.sessionId(0)).isEqualTo("main");
    assertThat(trace.sessionId(1)).isEqualTo("q/main");
    assertThat(TraceStatistics.of(trace).reusedBlocks()).isEqualTo(4);
  }
}
