package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.engine.cache.RadixCache;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.cache.RadixListener;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.QueuedRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a cache, orders a queue with {@link QueueOrder} as an SGLang recording says, and writes the
 * result down in the form of the recordings.
 */
final class QueueOrderReplay {
  private QueueOrderReplay() {}

  /** The order, and what was matched of each request. */
  static ObjectNode run(JsonNode scenario) {
    int pageTokens = scenario.path("page_size").intValue();
    PageNames pages = new PageNames(pageTokens);
    PageNames single = new PageNames(1);
    RadixCache cache = new RadixCache(pageTokens, RadixEviction.LRU, RadixListener.NONE);
    for (JsonNode inserted : scenario.path("inserted")) {
      List<Long> tokens = PageNames.tokens(inserted);
      cache.insert(pages.keys(tokens), tokens.size() / pageTokens, 0, false);
    }
    List<String> ids = new ArrayList<>();
    List<QueuedRequest> queue = new ArrayList<>();
    for (JsonNode recorded : scenario.path("requests")) {
      List<Long> tokens = PageNames.tokens(recorded.path("key"));
      QueuedRequest request = new QueuedRequest();
      request.request = ids.size();
      request.tokens = tokens.size();
      request.maxOutputTokens = recorded.path("max_new").intValue();
      request.priority = recorded.path("prio").intValue();
      request.queuedAt = ids.size();
      request.keys = pages.keys(tokens);
      request.queueKeys = single.keys(tokens);
      queue.add(request);
      ids.add(recorded.path("rid").asText());
    }
    new QueueOrder(
            QueueOrder.Policy.named(scenario.path("policy").asText()),
            scenario.path("enable_priority").booleanValue(),
            scenario.path("low_values_first").booleanValue(),
            cache,
            1)
        .sort(queue);
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    ArrayNode order = out.putArray("order");
    ObjectNode matched = out.putObject("matched");
    ObjectNode prefix = out.putObject("prefix_len");
    for (QueuedRequest request : queue) {
      String id = ids.get(request.request);
      order.add(id);
      matched.put(id, request.matchedTokens);
      prefix.put(id, request.matchedTokens);
    }
    return out;
  }
}
