package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A message that has its content in it, as OpenCode keeps them from version 2, said as earlier
 * versions do: a message, and parts for its tools.
 *
 * @param message with role, model, tokens and times; {@code time.streamed} is when the answer had
 *     come, before its tools had ended
 * @param tools its parts, in their order
 */
record OpenCodeMessage(ObjectNode message, List<JsonNode> tools) {
  static final String SEVERAL_REQUESTS =
      "answers of several requests, taken for one with the last one's prompt";

  /** Whether an object is such a message, of the model. */
  static boolean isOne(JsonNode object) {
    String type = object.path("type").asText();
    return object.has("id") && (type.equals("assistant") || type.equals("compaction"));
  }

  /** Compactions are messages like others, as they are a call. */
  static OpenCodeMessage of(JsonNode object, String place, LogFindings findings) {
    String id = object.path("id").asText();
    ObjectNode message = JsonLog.newObject();
    message.put("id", id).put("sessionID", object.path("sessionID").asText());
    message.put("role", "assistant").put("modelID", object.path("model").path("id").asText(null));
    boolean compaction = object.path("type").asText().equals("compaction");
    message.put("summary", compaction);
    message.set("tokens", tokens(object.path("tokens"), place, findings));
    ObjectNode time = message.putObject("time");
    time.setAll((ObjectNode) objectOrEmpty(object.path("time")));
    if (compaction && object.has("updated")) {
      // Its row is written last when it is complete.
      time.set("completed", object.path("updated"));
    }
    List<JsonNode> tools = new ArrayList<>();
    for (JsonNode content : object.path("content")) {
      if (content.path("type").asText().equals("tool")) {
        tools.add(tool(content, id, tools.size()));
      }
    }
    return new OpenCodeMessage(message, tools);
  }

  /** Reasoning is never part of the output, which the total says in earlier versions. */
  private static JsonNode tokens(JsonNode tokens, String place, LogFindings findings) {
    if (!tokens.isObject()) {
      return JsonLog.newObject();
    }
    ObjectNode result = tokens.deepCopy();
    long read = JsonLog.tokens(tokens.path("cache").path("read"));
    long write = JsonLog.tokens(tokens.path("cache").path("write"));
    long input = JsonLog.tokens(tokens.path("input"));
    long last = JsonLog.tokens(tokens.path("context"));
    if (last > 0 && last < input + read + write) {
      findings.count(SEVERAL_REQUESTS, place);
      read = Math.min(read, last);
      write = 0;
      input = last - read;
      result.put("input", input);
      result.putObject("cache").put("read", read).put("write", write);
    }
    long output = JsonLog.tokens(tokens.path("output"));
    long reasoning = JsonLog.tokens(tokens.path("reasoning"));
    return result.put("total", input + read + write + output + reasoning);
  }

  private static JsonNode tool(JsonNode content, String message, int index) {
    ObjectNode part = JsonLog.newObject();
    part.put("id", String.format(Locale.ROOT, "%08d", index)).put("messageID", message);
    part.put("type", "tool").put("tool", content.path("name").asText());
    JsonNode recorded = content.path("time");
    ObjectNode time = part.putObject("state").putObject("time");
    time.set("start", recorded.has("ran") ? recorded.path("ran") : recorded.path("created"));
    time.set("end", recorded.path("completed"));
    return part;
  }

  private static JsonNode objectOrEmpty(JsonNode node) {
    return node.isObject() ? node : JsonLog.newObject();
  }
}
