package io.orrery.traces.synthesis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * Writes synthetic sessions in the session format of kv-cache-tester, one JSON object a line.
 *
 * <p>As in its corpus: ids of full blocks only, local to the session and numbered from 1 in the
 * order of their appearance; {@code t} in seconds from the session's start, that of a sub-agent's
 * requests from the sub-agent's; {@code think_time} is the wait since the end of the request
 * before, whoever caused it. Unlike there, times are exact to 10 ms, so that each start is the sum
 * of the times before it.
 */
final class WekaWriter {
  private final JsonGenerator json;
  private final int blockSize;

  /** The session's blocks in one of the file's. */
  private final int ratio;

  /**
   * The file's id of each of the session's blocks, 0 where it has none yet. A larger block goes by
   * the last one in it, which stands for all before it.
   */
  private int[] ids = new int[1024];

  private int lastId;

  WekaWriter(OutputStream out, int blockSize) throws IOException {
    this.blockSize = blockSize;
    ratio = blockSize / CallSynthesizer.BLOCK_SIZE;
    json = new JsonFactory().setRootValueSeparator("").createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  }

  void flush() throws IOException {
    json.flush();
  }

  void write(AgentSession session) throws IOException {
    Arrays.fill(ids, 0);
    lastId = 0;
    json.writeStartObject();
    json.writeStringField("id", session.id());
    json.writeArrayFieldStart("models");
    json.writeString(session.prefix().model());
    json.writeEndArray();
    json.writeNumberField("block_size", blockSize);
    json.writeStringField("hash_id_scope", "local");
    prefix(session.prefix());
    json.writeArrayFieldStart("requests");
    requests(session);
    json.writeEndArray();
    totals(session);
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void requests(AgentSession session) throws IOException {
    List<AgentCall> calls = session.calls();
    long clock = 0;
    int child = 0;
    for (int i = 0; i < calls.size(); i++) {
      clock += calls.get(i).waitMillis();
      boolean afterTool = i > 0 && !calls.get(i - 1).endsTurn();
      call(calls.get(i), clock, session.prefix().model(), afterTool);
      clock += calls.get(i).serviceMillis();
      while (child < session.subAgents().size() && session.subAgents().get(child).launcher() == i) {
        SubAgent subAgent = session.subAgents().get(child++);
        subAgent(subAgent, child, clock + subAgent.launchMillis());
      }
    }
  }

  private void call(AgentCall call, long startMillis, String model, boolean afterTool)
      throws IOException {
    json.writeStartObject();
    seconds("t", startMillis);
    json.writeStringField("type", "n");
    json.writeStringField("model", model);
    json.writeNumberField("in", call.inputTokens());
    json.writeNumberField("out", call.outputTokens());
    json.writeArrayFieldStart("hash_ids");
    int[] blocks = call.blocks().ids();
    for (int last = ratio - 1; last < blocks.length; last += ratio) {
      json.writeNumber(id(blocks[last]));
    }
    json.writeEndArray();
    types("input_types", afterTool ? "tool_result" : "text");
    types("output_types", call.endsTurn() ? "text" : "tool_use");
    json.writeStringField("stop", call.endsTurn() ? "end_turn" : "tool_use");
    seconds("api_time", call.serviceMillis());
    seconds("think_time", call.waitMillis());
    json.writeEndObject();
  }

  private void subAgent(SubAgent subAgent, int number, long startMillis) throws IOException {
    List<AgentCall> calls = subAgent.calls();
    AgentCall last = calls.get(calls.size() - 1);
    json.writeStartObject();
    seconds("t", startMillis);
    json.writeStringField("type", "subagent");
    json.writeStringField("agent_id", "agent-" + number);
    json.writeStringField("subagent_type", "Explore");
    if (subAgent.background()) {
      json.writeNullField("duration_ms");
    } else {
      json.writeNumberField("duration_ms", subAgent.durationMillis());
    }
    json.writeNumberField("total_tokens", last.inputTokens() + last.outputTokens());
    json.writeNumberField("tool_use_count", calls.size() - 1);
    json.writeStringField("status", subAgent.background() ? "async_launched" : "completed");
    json.writeArrayFieldStart("requests");
    long clock = 0;
    for (int i = 0; i < calls.size(); i++) {
      clock += calls.get(i).waitMillis();
      call(calls.get(i), clock, subAgent.prefix().model(), i > 0);
      clock += calls.get(i).serviceMillis();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("models");
    json.writeString(subAgent.prefix().model());
    json.writeEndArray();
    prefix(subAgent.prefix());
    json.writeEndObject();
  }

  private void totals(AgentSession session) throws IOException {
    long input = 0;
    long output = 0;
    for (SubAgent subAgent : session.subAgents()) {
      input += input(subAgent.calls());
      output += output(subAgent.calls());
    }
    json.writeObjectFieldStart("totals");
    tokens("parent_tokens", input(session.calls()), output(session.calls()));
    tokens("subagent_tokens", input, output);
    tokens("combined_tokens", input + input(session.calls()), output + output(session.calls()));
    json.writeNumberField("subagent_count", session.subAgents().size());
    json.writeEndObject();
  }

  private static long input(List<AgentCall> calls) {
    return calls.stream().mapToLong(AgentCall::inputTokens).sum();
  }

  private static long output(List<AgentCall> calls) {
    return calls.stream().mapToLong(AgentCall::outputTokens).sum();
  }

  private void tokens(String field, long input, long output) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeNumberField("input", input);
    json.writeNumberField("output", output);
    json.writeEndObject();
  }

  private void prefix(SharedPrefix prefix) throws IOException {
    json.writeNumberField("tool_tokens", prefix.toolTokens());
    json.writeNumberField("system_tokens", prefix.systemTokens());
  }

  private void types(String field, String type) throws IOException {
    json.writeArrayFieldStart(field);
    json.writeString(type);
    json.writeEndArray();
  }

  /** Whole multiples of 10 ms as seconds with one or two decimals. */
  private void seconds(String field, long millis) throws IOException {
    long hundredths = millis / 10;
    String decimals =
        hundredths % 10 == 0 ? "" + hundredths / 10 % 10 : twoDigits(hundredths % 100);
    json.writeFieldName(field);
    json.writeNumber(hundredths / 100 + "." + decimals);
  }

  private static String twoDigits(long value) {
    return (value < 10 ? "0" : "") + value;
  }

  private int id(int block) {
    if (block >= ids.length) {
      ids = Arrays.copyOf(ids, Math.max(block + 1, 2 * ids.length));
    }
    if (ids[block] == 0) {
      ids[block] = ++lastId;
    }
    return ids[block];
  }
}
