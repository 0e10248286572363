package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TraceBuilderTest {
  @Test
  void promptsBecomeRunsOfIdsInTheOrderOfFirstAppearance() {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(64)
            .output(1)
            .blocks(70, 50, 60, 90)
            .arrival(0)
            .request("a2")
            .input(48)
            .output(1)
            .blocks(70, 50, 10)
            .arrival(1)
            .build();

    // 70 50 60 90 -> 0 1 2 3; 70 50 10 -> 0 1 4
    assertThat(trace.blockCount()).isEqualTo(5);
    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..3]");
    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0..1][4]");
    assertThat(trace.requestId(1)).isEqualTo("a2");
    assertThat(trace.sessionId(0)).isEqualTo("a");
  }

  @Test
  void aTrailingPartialBlockHasNoIdentity() {
    Trace trace =
        Trace.builder(16).session("a").request("a1").input(40).blocks(1, 2, 3).arrival(0).build();

    assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..1]");
    assertThat(trace.partialBlock(0)).isEqualTo(2);
  }

  @Test
  void oneNameAfterDifferentBlocksIsTwoIdentities() {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(32)
            .blocks(1, 2)
            .arrival(0)
            .request("a2")
            .input(32)
            .blocks(3, 2)
            .arrival(1)
            .request("a3")
            .input(48)
            .blocks(3, 2, 1)
            .arrival(2)
            .request("a4")
            .input(32)
            .blocks(1, 2)
            .arrival(3)
            .build();

    // a1: 1->0, 2 after 1 ->1. a2: 3->2, 2 after 3 -> 3. a3: 1 at the third place -> 4.
    assertThat(RunText.prompt(trace, 1)).isEqualTo("[2..3]");
    assertThat(RunText.prompt(trace, 2)).isEqualTo("[2..4]");
    assertThat(RunText.prompt(trace, 3)).isEqualTo("[0..1]");
    assertThat(trace.provenance().counters())
        .containsEntry("blocks renamed because different blocks precede them", 2L);
  }

  @Test
  void theNextTurnNamesTheCompletionBlocks() {
    // a1 has 40 + 30 tokens: KV covers 69, so it touches ceil(69 / 16) = 5 blocks. a2 brings them
    // back and names them.
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(40)
            .output(30)
            .blocks(1, 2)
            .arrival(0)
            .request("a2")
            .input(96)
            .output(9)
            .blocks(1, 2, 3, 4, 5, 6)
            .afterPrevious(0)
            .build();

    assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
    assertThat(trace.namedBlocks(0)).isEqualTo(5);
    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..1]");
    assertThat(RunText.completion(trace, 0)).isEqualTo("[2..4]");
    assertThat(trace.namedBlocks(1)).isEqualTo(6);
    assertThat(RunText.completion(trace, 1)).isEmpty();
  }

  @Test
  void aTurnThatRewritesOrShortensThePromptNamesNothing() {
    Trace rewritten =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(32)
            .output(16)
            .blocks(1, 2)
            .arrival(0)
            .request("a2")
            .input(64)
            .blocks(1, 9, 3, 4)
            .afterPrevious(0)
            .build();
    assertThat(rewritten.namedBlocks(0)).isEqualTo(2);

    Trace withoutTheOutput =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(32)
            .output(16)
            .blocks(1, 2)
            .arrival(0)
            .request("a2")
            .input(47)
            .blocks(1, 2)
            .afterPrevious(0)
            .build();
    assertThat(withoutTheOutput.namedBlocks(0)).isEqualTo(2);
  }

  @Test
  void aPromptThatIsNotIdentifiedToItsEndHasNoNamedCompletion() {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .input(48)
            .output(16)
            .blocks(1)
            .arrival(0)
            .request("a2")
            .input(80)
            .blocks(1, 2, 3, 4, 5)
            .afterPrevious(0)
            .build();

    assertThat(trace.identifiedBlocks(0)).isEqualTo(1);
    assertThat(trace.namedBlocks(0)).isEqualTo(1);
  }

  @Test
  void withASharedClockRequestsAreSortedByArrivalAndTiesKeepTheirOrder() {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .arrival(30)
            .session("b")
            .request("b1")
            .arrival(10)
            .session("c")
            .request("c1")
            .arrival(30)
            .session("b")
            .request("b2")
            .afterPrevious(25)
            .build();

    // b2 would start at 10 + 25 = 35
    assertThat(
            new String[] {
              trace.requestId(0), trace.requestId(1), trace.requestId(2), trace.requestId(3)
            })
        .containsExactly("b1", "a1", "c1", "b2");
    assertThat(trace.sessionId(0)).isEqualTo("b");
    assertThat(trace.request(0, 1)).isEqualTo(3);
    assertThat(trace.turn(3)).isEqualTo(1);
    assertThat(trace.arrivalNanos(0)).isEqualTo(10);
    assertThat(trace.arrivalNanos(3)).isEqualTo(Trace.NO_TIME);
  }

  @Test
  void withoutASharedClockSessionsStandInFileOrder() {
    Trace trace =
        Trace.builder(16)
            .sharedClock(false)
            .session("a")
            .request("a1")
            .arrival(30)
            .session("child", "a")
            .request("c1")
            .after("a1", EdgeTrigger.DISPATCH, 5)
            .session("b")
            .request("b1")
            .arrival(10)
            .session("a")
            .request("a2")
            .after("c1", EdgeTrigger.COMPLETION, 7)
            .afterPrevious(3)
            .build();

    assertThat(trace.requestId(1)).isEqualTo("a2");
    assertThat(trace.requestId(2)).isEqualTo("c1");
    assertThat(trace.parentSession(1)).isZero();
    assertThat(trace.rootSession(1)).isZero();
    assertThat(trace.parentSession(2)).isEqualTo(-1);
    assertThat(trace.requestCount(0)).isEqualTo(2);
    assertThat(trace.firstRequest(1)).isEqualTo(2);
    // a2 waits for c1 (7 ns after its completion) and for a1 (3 ns)
    assertThat(trace.edgeEnd(1) - trace.edgeStart(1)).isEqualTo(2);
    int join = trace.edgeStart(1);
    assertThat(trace.edgeFrom(join)).isEqualTo(2);
    assertThat(trace.edgeTrigger(join)).isEqualTo(EdgeTrigger.COMPLETION);
    assertThat(trace.edgeDelayNanos(join)).isEqualTo(7);
    int spawn = trace.edgeStart(2);
    assertThat(trace.edgeTrigger(spawn)).isEqualTo(EdgeTrigger.DISPATCH);
    assertThat(trace.edgeDelayNanos(spawn)).isEqualTo(5);
  }

  @Test
  void aParentMayFollowItsChild() {
    Trace trace =
        Trace.builder(16)
            .session("child", "a")
            .request("c1")
            .arrival(5)
            .session("a")
            .request("a1")
            .arrival(0)
            .build();
    assertThat(trace.sessionId(0)).isEqualTo("a");
    assertThat(trace.parentSession(1)).isZero();
  }

  @Test
  void zeroOutputIsOneTokenAndCounted() {
    Trace trace = Trace.builder(16).session("a").request("a1").output(0).arrival(0).build();
    assertThat(trace.outputTokens(0)).isEqualTo(1);
    assertThat(trace.provenance().counters())
        .containsEntry("requests without output, replayed as one token", 1L);
  }

  @Test
  void theDigestDependsOnTheContent() {
    String one = digest(0, 5);
    assertThat(one).matches("[0-9a-f]{64}").isEqualTo(digest(0, 5));
    assertThat(digest(1, 5)).isNotEqualTo(one);
    assertThat(digest(0, 6)).isNotEqualTo(one);
  }

  private static String digest(long arrival, long hash) {
    // 5 and 6 are new blocks either way, but 6 is the one that the second request repeats
    return Trace.builder(16)
        .session("a")
        .request("a1")
        .input(16)
        .blocks(hash)
        .arrival(arrival)
        .request("a2")
        .input(16)
        .blocks(6)
        .afterPrevious(0)
        .build()
        .digest();
  }

  @Test
  void saysWhatIsWrong() {
    assertBuildFails(
        Trace.builder(16).session("a", "ghost").request("r").arrival(0),
        "parent of session \"a\": found \"ghost\", expected a session of this trace");
    assertBuildFails(
        Trace.builder(16)
            .session("a", "b")
            .request("r")
            .arrival(0)
            .session("b", "c")
            .request("s")
            .arrival(0)
            .session("c", "a")
            .request("t")
            .arrival(0),
        "parent of session \"a\": found the cycle a → b → c → a, expected parents without a cycle");
    assertBuildFails(
        Trace.builder(16).session("a", "a").request("r").arrival(0),
        "parent of session \"a\": found the cycle a → a, expected parents without a cycle");
    assertBuildFails(
        Trace.builder(16).session("a").session("b").request("r").arrival(0),
        "session \"a\": found no requests, expected at least one request");
    assertBuildFails(
        Trace.builder(16).session("a").request("r"),
        "request \"r\" arrival: found no time, expected a start time, or a request to wait for");
    assertBuildFails(
        Trace.builder(16).session("a").request("r").after("q", EdgeTrigger.COMPLETION, 0),
        "request \"r\" waits for: found \"q\", expected a request of this trace");
    assertBuildFails(
        Trace.builder(16)
            .session("a")
            .request("r")
            .after("s", EdgeTrigger.COMPLETION, 0)
            .request("s")
            .after("r", EdgeTrigger.COMPLETION, 0),
        "waits for: found itself through other requests, expected waiting without a cycle");
    assertBuildFails(
        Trace.builder(16).session("a").request("r").input(20).blocks(1, 2, 3).arrival(0),
        "request \"r\" blocks: found 3 hashes, expected at most 2 for 20 input tokens in blocks of 16");
    assertBuildFails(
        Trace.builder(16)
            .session("a")
            .request("r")
            .arrival(1_000_000_000)
            .request("s")
            .after("r", EdgeTrigger.DISPATCH, Long.MAX_VALUE),
        "request \"s\" delay: found 9223372037 s after a request that starts at 1 s, expected starts within"
            + " 2305843009 s (73 years) of the trace's first, waits summed");
    assertBuildFails(Trace.builder(16), "found no requests, expected at least one request");
    assertThatThrownBy(() -> Trace.builder(16).session("a").request("r").request("r"))
        .hasMessage("request_id: found \"r\", expected an id that no other request has");
    assertThatThrownBy(() -> Trace.builder(16).session("a").request("r").input(0))
        .hasMessage("request \"r\" input: found 0, expected 1 to 1000000000 tokens");
    assertThatThrownBy(() -> Trace.builder(0))
        .hasMessage("block size: found 0, expected 1 to 1000000000 tokens");
    assertThatThrownBy(() -> Trace.builder(16).request("r"))
        .hasMessage("request: found r, expected a session before it");
  }

  private static void assertBuildFails(TraceBuilder builder, String message) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatCannotHaveBeenMeasuredIsRefused() {
    TraceBuilder late =
        Trace.builder(16).session("a").request("a1").arrival(0).recordedTimes(6, 5).input(9);
    TraceBuilder more =
        Trace.builder(16).session("a").request("a1").arrival(0).recordedCachedTokens(10).input(9);

    assertThatThrownBy(late::build)
        .hasMessage(
            "request \"a1\" recordedTimes: found 6 ns to the first token, expected at most the total 5");
    assertThatThrownBy(more::build)
        .hasMessage(
            "request \"a1\" recordedCachedTokens: found 10, expected at most the prompt's 9");
    assertThat(late.recordedTimes(5, 5).build().recordedTtftNanos(0)).isEqualTo(5);
    assertThat(more.recordedCachedTokens(9).build().recordedCachedTokens(0)).isEqualTo(9);
  }
}
