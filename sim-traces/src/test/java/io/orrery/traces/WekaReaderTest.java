package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

class WekaReaderTest {
  @Test
  void oneObjectIsOneSessionWithRootRelativeTimes() {
    Trace trace =
        TraceText.read(
            session("s1", request(0, 200, ids(1, 3), "\"out\":7,\"api_time\":1.5,\"ttft\":0.25")),
            session(
                "s2",
                request(10, 64, ids(1, 1), "\"out\":1"),
                request(15, 128, ids(1, 2), "\"out\":1,\"think_time\":2.5")));

    assertThat(trace.sharedClock()).isFalse();
    assertThat(trace.blockSize()).isEqualTo(64);
    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.requestId(1)).isEqualTo("s2#0");
    assertThat(trace.arrivalNanos(1)).isZero();
    assertThat(trace.arrivalNanos(2)).isEqualTo(5_000_000_000L);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(1_500_000_000);
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(250_000_000);
    // ids are local: block 1 of s2 is not block 1 of s1
    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..2]");
    assertThat(RunText.prompt(trace, 2)).isEqualTo("[3..4]");
  }

  @Test
  void theGapIsThinkTimeElseTheTimeSinceTheRecordedEndElseTheSpacingOfTheStarts() {
    Trace trace =
        TraceText.read(
            session(
                "s",
                request(0, 64, ids(1, 1), "\"out\":1,\"api_time\":4"),
                request(10, 64, ids(1, 1), "\"out\":1,\"think_time\":5.75,\"api_time\":4"),
                request(20, 64, ids(1, 1), "\"out\":1,\"api_time\":30"),
                request(25, 64, ids(1, 1), "\"out\":1"),
                request(28, 64, ids(1, 1), "\"out\":1")));

    assertThat(EdgeText.of(trace, "s#0")).isEmpty();
    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("COMPLETION s#0 +5750 ms");
    assertThat(EdgeText.of(trace, "s#2")).isEqualTo("COMPLETION s#1 +6000 ms");
    // the turn before it ended at 50: no gap
    assertThat(EdgeText.of(trace, "s#3")).isEqualTo("COMPLETION s#2 +0 ms");
    // no think time and no end: the starts stay 3 s apart, and the turn before must have completed
    assertThat(EdgeText.of(trace, "s#4")).isEqualTo("DISPATCH s#3 +3000 ms, COMPLETION s#3 +0 ms");
    assertThat(trace.provenance().counters())
        .containsEntry("turns released by a start-to-start gap", 1L);
  }

  /**
   * The shape of the public corpus: the parent ends at 18.78 s, two sub-agents run from 19.5 s in
   * parallel, their markers stand where they end (79.2 s and 184 s), inner times count from their
   * own start, and the parent goes on at 190 s.
   */
  @Test
  void markersAtTheEndInnerTimesFromTheStartAndAJoinOfAllChildren() {
    Trace trace =
        TraceText.read(
            session(
                "p",
                request(0, 64, ids(1, 1), "\"out\":1,\"api_time\":18.78"),
                agent(
                    79.2,
                    "a1",
                    "\"duration_ms\":59700,\"status\":\"completed\"",
                    request(0, 64, ids(90, 1), "\"out\":1,\"api_time\":2"),
                    request(7, 128, ids(90, 2), "\"out\":1,\"api_time\":50,\"think_time\":5")),
                agent(
                    184,
                    "a2",
                    "\"duration_ms\":164500,\"status\":\"completed\"",
                    request(0, 64, ids(90, 1), "\"out\":1,\"api_time\":160")),
                request(190, 128, ids(1, 2), "\"out\":1,\"think_time\":171")));

    assertThat(trace.sessionCount()).isEqualTo(3);
    assertThat(trace.sessionId(1)).isEqualTo("p/a1");
    assertThat(trace.parentSession(1)).isZero();
    assertThat(trace.rootSession(2)).isZero();
    // requests: the parent's two, then the children's
    assertThat(trace.requestId(1)).isEqualTo("p#1");
    assertThat(trace.requestId(2)).isEqualTo("p/a1#0");
    assertThat(trace.arrivalNanos(2)).isEqualTo(19_500_000_000L);
    assertThat(trace.arrivalNanos(3)).isEqualTo(26_500_000_000L);
    // spawned 19.5 - 18.78 s after the parent's completion
    assertThat(EdgeText.of(trace, "p/a1#0")).isEqualTo("COMPLETION p#0 +720 ms");
    assertThat(EdgeText.of(trace, "p/a2#0")).isEqualTo("COMPLETION p#0 +720 ms");
    assertThat(EdgeText.of(trace, "p/a1#1")).isEqualTo("COMPLETION p/a1#0 +5000 ms");
    // the parent waits for all of them, and then 190 - 184 s
    assertThat(EdgeText.of(trace, "p#1"))
        .isEqualTo(
            "COMPLETION p#0 +6000 ms, COMPLETION p/a1#1 +6000 ms, COMPLETION p/a2#0 +6000 ms");
    // both sub-agents share blocks with each other, none with the parent
    assertThat(trace.runFirst(trace.runStart(4))).isEqualTo(trace.runFirst(trace.runStart(2)));
    assertThat(trace.provenance().counters())
        .containsEntry("sub-agent markers that stand at the sub-agent's end", 2L)
        .containsEntry("sub-agents with times relative to their own start", 2L);
  }

  @Test
  void aMarkerAtTheStartIsToldByTheParentsWork() {
    // at 22 - 20 s the parent was still busy (0 .. 21 s): the marker is the start, the child ends
    // at 42 s
    Trace trace =
        TraceText.read(
            session(
                "p",
                request(0, 64, ids(1, 1), "\"out\":1,\"api_time\":21"),
                agent(
                    22,
                    "a",
                    "\"duration_ms\":20000,\"status\":\"completed\"",
                    request(0, 64, ids(9, 1), "\"out\":1,\"api_time\":19")),
                request(50, 64, ids(1, 1), "\"out\":1,\"think_time\":29")));

    assertThat(EdgeText.of(trace, "p/a#0")).isEqualTo("COMPLETION p#0 +1000 ms");
    assertThat(EdgeText.of(trace, "p#1"))
        .isEqualTo("COMPLETION p#0 +8000 ms, COMPLETION p/a#0 +8000 ms");
  }

  @Test
  void innerTimesOnTheParentsClockAreTold() {
    Trace trace =
        TraceText.read(
            session(
                "p",
                request(0, 64, ids(1, 1), "\"out\":1,\"api_time\":21"),
                agent(
                    22,
                    "start",
                    "\"duration_ms\":20000",
                    request(22, 64, ids(9, 1), "\"out\":1"),
                    request(30, 64, ids(9, 1), "\"out\":1,\"think_time\":1")),
                agent(
                    70, "end", "\"duration_ms\":40000", request(30.5, 64, ids(9, 1), "\"out\":1")),
                request(80, 64, ids(1, 1), "\"out\":1")));

    assertThat(trace.arrivalNanos(EdgeText.indexOf(trace, "p/start#1"))).isEqualTo(30_000_000_000L);
    assertThat(trace.arrivalNanos(EdgeText.indexOf(trace, "p/end#0"))).isEqualTo(30_500_000_000L);
    assertThat(trace.provenance().counters())
        .containsEntry("sub-agents with times on their parent's clock", 2L);
  }

  @Test
  void aBackgroundSubAgentStartsWhereItsMarkerStandsAndIsNotWaitedFor() {
    // launched at 5 s while the parent's request ran until 8 s
    Trace trace =
        TraceText.read(
            session(
                "p",
                request(0, 64, ids(1, 1), "\"out\":1,\"api_time\":8"),
                agent(
                    5,
                    "bg",
                    "\"duration_ms\":null,\"status\":\"async_launched\"",
                    request(0, 64, ids(9, 1), "\"out\":1,\"api_time\":100")),
                request(200, 64, ids(1, 1), "\"out\":1,\"think_time\":192")));

    assertThat(EdgeText.of(trace, "p/bg#0")).isEqualTo("DISPATCH p#0 +5000 ms");
    assertThat(EdgeText.of(trace, "p#1")).isEqualTo("COMPLETION p#0 +192000 ms");
    assertThat(trace.provenance().counters()).containsEntry("sub-agents that nobody waits for", 1L);
  }

  @Test
  void whereTheParentsEndIsNotKnownTheSubAgentKeepsItsDistanceAndWaits() {
    Trace trace =
        TraceText.read(
            session(
                "p",
                request(0, 64, ids(1, 1), "\"out\":1"),
                agent(9, "a", "\"status\":\"async\"", request(0, 64, ids(9, 1), "\"out\":1"))));

    assertThat(EdgeText.of(trace, "p/a#0"))
        .isEqualTo("DISPATCH p#0 +9000 ms, COMPLETION p#0 +0 ms");
  }

  @Test
  void subAgentsNestAndKeepTheirIds() {
    Trace trace =
        TraceText.read(
            session(
                "p",
                request(0, 64, ids(1, 1), "\"out\":1,\"api_time\":1"),
                agent(
                    20,
                    "a",
                    "\"duration_ms\":18500",
                    request(0, 64, ids(9, 1), "\"out\":1,\"api_time\":1"),
                    agent(
                        12,
                        "b",
                        "\"duration_ms\":10000",
                        request(0, 64, ids(20, 1), "\"out\":1,\"api_time\":9")),
                    request(13, 64, ids(9, 1), "\"out\":1,\"api_time\":5")),
                agent(20, "empty", "\"status\":\"completed\""),
                agent(21, "a", "\"duration_ms\":19000", request(0, 64, ids(30, 1), "\"out\":1"))));

    assertThat(new String[] {trace.sessionId(1), trace.sessionId(2), trace.sessionId(3)})
        .containsExactly("p/a", "p/a/b", "p/a~2");
    assertThat(trace.parentSession(2)).isEqualTo(1);
    assertThat(trace.rootSession(2)).isZero();
    // a starts at 20 - 18.5 = 1.5 s; b inside it at 1.5 + 12 - 10 = 3.5 s and ends at 13.5 s
    assertThat(trace.arrivalNanos(EdgeText.indexOf(trace, "p/a/b#0"))).isEqualTo(3_500_000_000L);
    assertThat(EdgeText.of(trace, "p/a#1"))
        .isEqualTo("COMPLETION p/a#0 +1000 ms, COMPLETION p/a/b#0 +1000 ms");
    assertThat(trace.provenance().counters())
        .containsEntry("sub-agents without recorded requests, left out", 1L);
  }

  @Test
  void sessionsWithEqualModelAndTokenCountsShareTheirToolAndSystemBlocks() {
    // (100 + 60) / 64 = 2 blocks of every first prompt
    String[] lines = {
      session("s1", 100, 60, request(0, 256, ids(1, 4), "\"out\":1,\"model\":\"m\"")),
      session(
          "s2",
          100,
          60,
          request(0, 256, ids(11, 4), "\"out\":1,\"model\":\"m\""),
          request(1, 320, ids(11, 4) + ",50", "\"out\":1,\"model\":\"m\"")),
      session("s3", 100, 61, request(0, 256, ids(1, 4), "\"out\":1,\"model\":\"m\"")),
      session("s4", 100, 60, request(0, 256, ids(1, 4), "\"out\":1,\"model\":\"other\""))
    };

    Trace shared = TraceText.read(lines);
    assertThat(RunText.prompt(shared, 0)).isEqualTo("[0..3]");
    assertThat(RunText.prompt(shared, 1)).isEqualTo("[0..1][4..5]");
    assertThat(RunText.prompt(shared, 2)).isEqualTo("[0..1][4..6]");
    assertThat(RunText.prompt(shared, 3)).isEqualTo("[7..10]");
    assertThat(RunText.prompt(shared, 4)).isEqualTo("[11..14]");
    assertThat(shared.provenance().counters())
        .containsEntry("sessions that share the tool and system prefix of an earlier one", 1L);

    Trace apart = TraceText.read(TraceOptions.defaults().withSharedSystemPrefix(false), lines);
    assertThat(RunText.prompt(apart, 1)).isEqualTo("[4..7]");
    assertThat(apart.provenance().notes())
        .containsExactly("No block is shared between sessions (sharedSystemPrefix is off).");
  }

  @Test
  void aPromptThatDoesNotStartWithTheSessionsFirstPrefixKeepsItsOwnBlocks() {
    Trace trace =
        TraceText.read(
            session(
                "s1",
                64,
                64,
                request(0, 192, ids(1, 3), "\"out\":1"),
                request(5, 192, "1,7,8", "\"out\":1")),
            session("s2", 64, 64, request(0, 192, ids(1, 3), "\"out\":1")));

    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..2]");
    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0][3..4]");
    assertThat(RunText.prompt(trace, 2)).isEqualTo("[0..1][5]");
  }

  @Test
  void globalIdsAreSharedBetweenSessions() {
    String one =
        session("s1", 64, 0, request(0, 128, ids(1, 2), "\"out\":1")).replace("local", "global");
    String two =
        session("s2", 64, 0, request(0, 128, "1,9", "\"out\":1")).replace("local", "global");

    Trace trace = TraceText.read(one, two);

    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0][2]");
  }

  @Test
  void hugeAndNegativeIdsAreFine() {
    Trace trace =
        TraceText.read(
            session(
                "s",
                request(0, 256, "2147483647,-5,4194304,4194303", "\"out\":1"),
                request(1, 192, "2147483647,-5,3", "\"out\":1")));

    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..3]");
    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0..1][4]");
  }

  @Test
  void keysComeInAnyOrderAndUnknownOnesAreLeftAlone() {
    Trace trace =
        TraceText.read(
            """
            {"requests":[{"hash_ids":[1,2],"out":3,"in":130,"extra":{"deep":[[1]]},"type":"s","t":4.5}],
             "totals":{"parent_tokens":{"input":1}},"system_tokens":64,"tool_tokens":0,"block_size":64,"id":"late"}""");

    assertThat(trace.sessionId(0)).isEqualTo("late");
    assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
  }

  @Test
  void countsWhatIsOdd() {
    Trace trace =
        TraceText.read(
            session(
                "s",
                request(10, 130, ids(1, 3), "\"out\":0,\"model\":\"m\""),
                request(5, 130, ids(1, 1), "\"out\":1,\"model\":\"n\",\"think_time\":0")));

    assertThat(trace.arrivalNanos(0)).isZero();
    assertThat(trace.outputTokens(1)).isEqualTo(1);
    assertThat(trace.provenance().counters())
        .containsEntry("requests out of time order in their session, sorted", 1L)
        .containsEntry("prompts with an id for their partial last block", 1L)
        .containsEntry("prompts with fewer hashes than full blocks, the rest unidentified", 1L)
        .containsEntry("requests without output, replayed as one token", 1L)
        .containsEntry("sessions that name several models, replayed on one", 1L);
  }

  static String session(String id, String... entries) {
    return session(id, 0, 0, entries);
  }

  static String session(String id, int tool, int system, String... entries) {
    return "{\"id\":\""
        + id
        + "\",\"models\":[\"m\"],\"block_size\":64,\"hash_id_scope\":\"local\",\"tool_tokens\":"
        + tool
        + ",\"system_tokens\":"
        + system
        + ",\"requests\":["
        + String.join(",", entries)
        + "]}";
  }

  static String request(double t, int in, String ids, String rest) {
    return "{\"t\":"
        + t
        + ",\"type\":\"n\",\"in\":"
        + in
        + ",\"hash_ids\":["
        + ids
        + "],"
        + rest
        + "}";
  }

  static String agent(double t, String id, String rest, String... entries) {
    return "{\"type\":\"subagent\",\"t\":"
        + t
        + ",\"agent_id\":\""
        + id
        + "\","
        + rest
        + ",\"requests\":["
        + String.join(",", entries)
        + "]}";
  }

  static String ids(int first, int count) {
    StringJoiner ids = new StringJoiner(",");
    for (int i = 0; i < count; i++) {
      ids.add(Integer.toString(first + i));
    }
    return ids.toString();
  }
}
