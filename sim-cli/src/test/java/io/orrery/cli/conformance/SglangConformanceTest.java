package io.orrery.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.traces.TraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SglangConformanceTest {
  /**
   * Pages of two tokens; token k of segment s is 65536 s + k.
   *
   * <p>Request 0 of 5 tokens stores 2 pages in one node. Request 1 shares the first page: the match
   * splits the node (tokens 0-1 above 2-3) and its second page becomes a third node. Request 0 then
   * adds one page, [1:4, 3:0], and leaves: that page and tokens 2-3 are free, the first page is
   * held by request 1. Asked for 1 token, eviction takes the leaf of 2; asked for 100, the node
   * that has become a leaf, and stops.
   */
  private static final String TREE =
      """
      {"kind":"radix","seed":7,"page_size":2,"policy":"lru","ops":[\
      {"op":"start","id":0,"key":[[1,0,5]],"match_limit":4,"matched":0,"prio":0,\
      "insert_prefix_len":0,"rematched":4,\
      "state":{"ev":0,"prot":4,"total":4,"nodes":1,"leaves":0,"freed":0}},\
      {"op":"start","id":1,"key":[[1,0,2],[2,0,3]],"match_limit":4,"matched":2,"prio":0,\
      "insert_prefix_len":2,"rematched":4,\
      "state":{"ev":0,"prot":6,"total":6,"nodes":3,"leaves":0,"freed":0}},\
      {"op":"finish","id":0,"key":[[1,0,5],[3,0,1]],"insert_prefix_len":4,\
      "state":{"ev":4,"prot":4,"total":8,"nodes":4,"leaves":1,"freed":0}},\
      {"op":"evict","n":1,"evicted_tokens":2,"evicted":[[4,2,65540]],\
      "state":{"ev":2,"prot":4,"total":6,"nodes":3,"leaves":1,"freed":2}},\
      {"op":"evict","n":100,"evicted_tokens":2,"evicted":[[2,2,65538]],\
      "state":{"ev":0,"prot":4,"total":4,"nodes":2,"leaves":0,"freed":4}}]}
      """;

  /**
   * c is held but for its last token, which is always computed. Of a and b nothing is held and they
   * share 35 tokens, so the later one waits for the earlier one's.
   */
  private static final String QUEUE =
      """
      {"kind":"policy","seed":8,"page_size":1,"policy":"lpm","enable_priority":false,\
      "low_values_first":false,"inserted":[[[1,0,40]]],"requests":[\
      {"rid":"b","key":[[2,0,40]],"prio":0,"max_new":9},\
      {"rid":"a","key":[[2,0,35],[3,0,5]],"prio":0,"max_new":9},\
      {"rid":"c","key":[[1,0,40]],"prio":0,"max_new":9}],\
      "order":["c","b","a"],"matched":{"c":39,"b":0,"a":0},"prefix_len":{"c":39,"b":0,"a":0}}
      """;

  @Test
  void agreesWithTheRealCacheAndQueueOrder() throws IOException {
    Conformance.Result result =
        compare(ConformanceTest.recording("sglang-main-20260720-8905cbd4.jsonl.gz"));
    assertThat(result.firstDifference()).isNull();
    // 24 trees with 2,880 operations and 15 queues.
    assertThat(result).isEqualTo(new Conformance.Result(39, 39, 2_880 + 15, null));
  }

  @Test
  void agreesWithScenariosWorkedByHand() throws IOException {
    Conformance.Result result = compare(TREE + QUEUE);
    assertThat(result.firstDifference()).isNull();
    assertThat(result).isEqualTo(new Conformance.Result(2, 2, 6, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "\"matched\":2 | \"matched\":0 | operation 1: matched: found 2, recorded 0",
        "\"rematched\":4 | \"rematched\":5 | operation 0: rematched: found 4, recorded 5",
        "\"insert_prefix_len\":2 | \"insert_prefix_len\":4 | operation 1: insert_prefix_len: found 2",
        "[[4,2,65540]] | [[2,2,65538]] | operation 3: evicted: found [[4,2,65540]], recorded [[2,2",
        "\"evicted_tokens\":2 | \"evicted_tokens\":1 | operation 3: evicted_tokens: found 2, recorded 1",
        "\"ev\":4,\"prot\":4 | \"ev\":6,\"prot\":4 | operation 2: state.ev: found 4, recorded 6",
        "\"prot\":6 | \"prot\":8 | operation 1: state.prot: found 6, recorded 8",
        "\"nodes\":3,\"leaves\":0 | \"nodes\":2,\"leaves\":0 | operation 1: state.nodes: found 3",
        "\"leaves\":1,\"freed\":2 | \"leaves\":0,\"freed\":2 | operation 3: state.leaves: found 1",
        "\"freed\":4 | \"freed\":3 | operation 4: state.freed: found 4, recorded 3"
      })
  void findsOneChangedFactOfATree(String recorded, String changed, String difference)
      throws IOException {
    assertThat(TREE).contains(recorded);
    int at = TREE.indexOf(recorded);
    String mutated = TREE.substring(0, at) + changed + TREE.substring(at + recorded.length());
    Conformance.Result result = compare(mutated + QUEUE);
    assertThat(result.scenarios()).isEqualTo(2);
    assertThat(result.equal()).isEqualTo(1);
    assertThat(result.firstDifference()).startsWith("recording:1: lru 7 " + difference);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "[\"c\",\"b\",\"a\"] | [\"c\",\"a\",\"b\"] | order: found [\"c\",\"b\",\"a\"], recorded",
        "\"matched\":{\"c\":39 | \"matched\":{\"c\":40 | matched.c: found 39, recorded 40",
        "\"prefix_len\":{\"c\":39 | \"prefix_len\":{\"c\":0 | prefix_len.c: found 39, recorded 0"
      })
  void findsOneChangedFactOfAQueue(String recorded, String changed, String difference)
      throws IOException {
    assertThat(QUEUE).contains(recorded);
    Conformance.Result result = compare(TREE + QUEUE.replace(recorded, changed));
    assertThat(result.equal()).isEqualTo(1);
    assertThat(result.firstDifference()).startsWith("recording:2: lpm 8 " + difference);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "\"policy\":\"lru\" | \"policy\":\"arc\" | eviction strategy: found arc, expected one of lru",
        "\"op\":\"finish\",\"id\":0 | \"op\":\"finish\",\"id\":5 | finish: found id 5, expected",
        "\"op\":\"evict\",\"n\":1, | \"op\":\"clear\",\"n\":1, | operation: found \"clear\", expected",
        "\"page_size\":2 | \"page_size\":0 | page_size: found 0, expected 1 or more",
        "\"page_size\":2 | \"page_size\":\"2\" | found no scheduler recording",
        "\"kind\":\"radix\" | \"kind\":\"tree\" | found no scheduler recording",
        "[[1,0,2],[2,0,3]] | [[1,0,2],[2,0,-3]] | key: found [2,0,-3], expected [segment, start",
        "[[1,0,2],[2,0,3]] | [[1,0,2],7] | key: found 7, expected [segment, start, length]"
      })
  void aScenarioThatCannotBeReplayedIsNamed(String recorded, String changed, String message) {
    assertThat(TREE).contains(recorded);
    assertThatThrownBy(() -> compare(TREE.replace(recorded, changed)))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith("recording:1: " + message);
  }

  private static Conformance.Result compare(String text) throws IOException {
    return new Conformance().compare("recording", new BufferedReader(new StringReader(text)));
  }
}
