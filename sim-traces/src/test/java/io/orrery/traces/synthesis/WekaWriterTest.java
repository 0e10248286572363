package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WekaWriterTest {
  private final SharedPrefix prefix = new SharedPrefix("large", 64, 70, 1);
  private final SharedPrefix childPrefix = new SharedPrefix("small", 60, 10, 1);

  /**
   * 200 tokens are three blocks of 64; behind the two of the prefix, 330 tokens replace the third
   * by three new ones. The second request starts at 1.5 + 12.34 s, and the sub-agent 0.05 s after
   * the first one's end.
   */
  @Test
  void writes_a_session_as_one_line() throws IOException {
    BlockRuns.Source source = new BlockRuns.Source();
    BlockRuns first = source.fresh(3);
    BlockRuns second = source.extend(first, 2, 5);
    BlockRuns child = source.fresh(1);
    AgentSession session =
        new AgentSession(
            "s",
            prefix,
            List.of(
                new AgentCall(first, 200, 7, false, 0, 1500),
                new AgentCall(second, 330, 20, true, 12_340, 2000)),
            List.of(
                new SubAgent(
                    0,
                    50,
                    false,
                    childPrefix,
                    List.of(
                        new AgentCall(child, 100, 5, false, 0, 1000),
                        new AgentCall(child, 110, 6, true, 500, 3000)))));

    assertThat(line(session, 64))
        .isEqualTo(
            """
            {"id":"s","models":["large"],"block_size":64,"hash_id_scope":"local",\
            "tool_tokens":64,"system_tokens":70,"requests":[\
            {"t":0.0,"type":"n","model":"large","in":200,"out":7,"hash_ids":[1,2,3],\
            "input_types":["text"],"output_types":["tool_use"],"stop":"tool_use",\
            "api_time":1.5,"think_time":0.0},\
            {"t":1.55,"type":"subagent","agent_id":"agent-1","subagent_type":"Explore",\
            "duration_ms":4500,"total_tokens":116,"tool_use_count":1,"status":"completed",\
            "requests":[\
            {"t":0.0,"type":"n","model":"small","in":100,"out":5,"hash_ids":[4],\
            "input_types":["text"],"output_types":["tool_use"],"stop":"tool_use",\
            "api_time":1.0,"think_time":0.0},\
            {"t":1.5,"type":"n","model":"small","in":110,"out":6,"hash_ids":[4],\
            "input_types":["tool_result"],"output_types":["text"],"stop":"end_turn",\
            "api_time":3.0,"think_time":0.5}],\
            "models":["small"],"tool_tokens":60,"system_tokens":10},\
            {"t":13.84,"type":"n","model":"large","in":330,"out":20,"hash_ids":[1,2,5,6,7],\
            "input_types":["tool_result"],"output_types":["text"],"stop":"end_turn",\
            "api_time":2.0,"think_time":12.34}],\
            "totals":{"parent_tokens":{"input":530,"output":27},\
            "subagent_tokens":{"input":210,"output":11},\
            "combined_tokens":{"input":740,"output":38},"subagent_count":1}}
            """);
  }

  /** Of 64-token blocks 0 1 | 2 3 | 4 and 0 1 | 2 5 | 6 7, the pairs (0 1) are the same. */
  @Test
  void larger_blocks_are_equal_where_all_in_them_and_before_are() throws IOException {
    BlockRuns.Source source = new BlockRuns.Source();
    BlockRuns first = source.fresh(5);
    BlockRuns second = source.extend(first, 3, 6);
    AgentSession session =
        new AgentSession(
            "s",
            prefix,
            List.of(
                new AgentCall(first, 320, 1, false, 0, 10),
                new AgentCall(second, 384, 1, true, 10, 10)),
            List.of());
    assertThat(line(session, 128))
        .contains("\"block_size\":128", "\"hash_ids\":[1,2],", "\"hash_ids\":[1,3,4],");
  }

  private static String line(AgentSession session, int blockSize) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WekaWriter writer = new WekaWriter(out, blockSize);
    writer.write(session);
    writer.flush();
    return out.toString(StandardCharsets.UTF_8);
  }
}
