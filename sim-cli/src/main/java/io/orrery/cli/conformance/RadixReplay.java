package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.engine.cache.BlockKeys;
import io.orrery.engine.cache.RadixCache;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.cache.RadixListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Drives {@link RadixCache} through the operations of an SGLang recording and writes down what each
 * one found, in the form of the recordings.
 */
final class RadixReplay implements RadixListener {
  private record Started(int node, int priority) {}

  private final int pageTokens;
  private final PageNames names;
  private final RadixCache cache;
  private final Map<Integer, Started> started = new HashMap<>();
  private ArrayNode evicted = JsonNodeFactory.instance.arrayNode();
  private long freed;

  RadixReplay(JsonNode scenario) {
    pageTokens = scenario.path("page_size").intValue();
    names = new PageNames(pageTokens);
    cache = new RadixCache(pageTokens, RadixEviction.named(scenario.path("policy").asText()), this);
  }

  /** Repeats {@code recorded} and returns what happened. */
  ObjectNode step(JsonNode recorded) {
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    String operation = recorded.path("op").asText();
    switch (operation) {
      case "start" -> start(recorded, out);
      case "finish" -> finish(recorded, out);
      case "evict" -> evict(recorded.path("n").longValue(), out);
      default ->
          throw new IllegalArgumentException(
              "operation: found \"" + operation + "\", expected start, finish or evict");
    }
    out.putObject("state")
        .put("ev", cache.evictableTokens())
        .put("prot", cache.protectedTokens())
        .put("total", cache.tokens())
        .put("nodes", cache.nodes())
        .put("leaves", cache.evictableLeaves())
        .put("freed", freed);
    return out;
  }

  private void start(JsonNode recorded, ObjectNode out) {
    List<Long> tokens = PageNames.tokens(recorded.path("key"));
    BlockKeys keys = names.keys(tokens);
    int pages = tokens.size() / pageTokens;
    int limit = Math.min(tokens.size(), recorded.path("match_limit").intValue()) / pageTokens;
    int priority = recorded.path("prio").intValue();
    out.put("matched", cache.match(keys, limit) * pageTokens);
    int matchedNode = cache.lastNode();
    cache.lock(matchedNode);
    if (recorded.has("evict_req")) {
      evict(recorded.path("evict_req").longValue(), out);
    }
    out.put("insert_prefix_len", cache.insert(keys, pages, priority, false) * pageTokens);
    out.put("rematched", cache.match(keys, pages) * pageTokens);
    int node = cache.lastNode();
    cache.unlock(matchedNode);
    cache.lock(node);
    started.put(recorded.path("id").intValue(), new Started(node, priority));
  }

  private void finish(JsonNode recorded, ObjectNode out) {
    int id = recorded.path("id").intValue();
    Started start = started.remove(id);
    if (start == null) {
      throw new IllegalArgumentException("finish: found id " + id + ", expected one that started");
    }
    List<Long> tokens = PageNames.tokens(recorded.path("key"));
    int pages = tokens.size() / pageTokens;
    out.put(
        "insert_prefix_len",
        cache.insert(names.keys(tokens), pages, start.priority(), false) * pageTokens);
    cache.unlock(start.node());
  }

  private void evict(long tokens, ObjectNode out) {
    evicted = out.putArray("evicted");
    long done = cache.evict(tokens);
    freed += done;
    out.put("evicted_tokens", done);
  }

  @Override
  public void evicted(int position, int pages, long firstKey) {
    evicted
        .addArray()
        .add(position * pageTokens)
        .add(pages * pageTokens)
        .add(names.firstToken(firstKey));
  }
}
