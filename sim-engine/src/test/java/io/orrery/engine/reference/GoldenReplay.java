package io.orrery.engine.reference;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.engine.scheduler.SchedulerSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * Replays one scenario that was recorded from the real vLLM scheduler and compares every recorded
 * step: queue orders, schedules, preemptions, everything done to the blocks (by physical id), the
 * free queue, tokens and finishes.
 */
final class GoldenReplay implements ReferenceCache.Listener, ReferenceEngine.Listener {
  private record InFlight(int step, ReferenceEngine.Batch batch) {}

  private final JsonNode scenario;
  private final boolean asynchronous;
  private final boolean july;
  private final ReferenceCache cache;
  private final ReferenceVllm scheduler;
  private final Map<Integer, List<ReferenceRequest>> arrivals = new TreeMap<>();
  private final Map<String, ReferenceRequest> present = new LinkedHashMap<>();
  private final Deque<InFlight> inFlight = new ArrayDeque<>();

  private final Set<String> undelivered = new TreeSet<>();
  private List<String> events = new ArrayList<>();
  private List<String> tokens = new ArrayList<>();
  private List<String> finishes = new ArrayList<>();
  private int comparedSteps;

  GoldenReplay(JsonNode scenario) {
    this.scenario = scenario;
    JsonNode config = scenario.get("config");
    july = config.has("watermark");
    asynchronous = config.get("async_scheduling").asBoolean();
    SchedulerSettings settings =
        new SchedulerSettings(
            config.get("block_size").asInt(),
            config.get("num_blocks").asInt(),
            config.get("max_num_batched_tokens").asInt(),
            config.get("max_num_seqs").asInt(),
            config.get("max_model_len").asInt(),
            config.get("long_prefill_token_threshold").asInt(),
            config.get("enable_prefix_caching").asBoolean(),
            config.get("enable_chunked_prefill").asBoolean(),
            config.get("policy").asText().equals("priority"),
            config.get("scheduler_reserve_full_isl").asBoolean(),
            asynchronous,
            config.path("watermark").asDouble(0),
            july,
            !july);
    cache =
        new ReferenceCache(
            settings.blocks(), settings.prefixCaching(), settings.unkeyedToFront(), this);
    scheduler = new ReferenceVllm(settings, cache, this);
    TreeMap<Integer, JsonNode> byOrder = new TreeMap<>();
    scenario.get("requests").forEach(r -> byOrder.put(r.get("order").asInt(), r));
    for (JsonNode r : byOrder.values()) {
      if (!r.path("never_arrived").asBoolean(false)) {
        arrivals
            .computeIfAbsent(r.get("arrival_step").asInt(), s -> new ArrayList<>())
            .add(request(r));
      }
    }
  }

  private static ReferenceRequest request(JsonNode r) {
    JsonNode keys = r.get("keys");
    return new ReferenceRequest(
        r.get("id").asText(),
        r.get("order").asInt(),
        r.get("priority").asInt(),
        r.get("arrival_time").asDouble(),
        r.get("prompt_len").asInt(),
        r.get("max_tokens").asInt(),
        r.get("finish").asText().equals("stop") ? r.get("output_len").asInt() : 0,
        Integer.MAX_VALUE,
        r.path("skip_cache_read").asBoolean(false),
        i -> keys.get(i).asLong());
  }

  int comparedSteps() {
    return comparedSteps;
  }

  /** The first difference, or nothing if every step agrees. */
  Optional<String> firstDifference() {
    Map<Integer, JsonNode> recorded = new TreeMap<>();
    scenario.get("steps").forEach(s -> recorded.put(s.get("n").asInt(), s));
    Map<String, String> aborts = new LinkedHashMap<>();
    scenario
        .path("aborts")
        .forEach(
            a ->
                aborts.merge(
                    a.get("step").asInt() + a.get("when").asText(),
                    a.get("id").asText(),
                    (x, y) -> x + " " + y));
    int last = recorded.keySet().stream().mapToInt(n -> n).max().orElseThrow();
    for (int n = 0; n <= last; n++) {
      Map<String, String> mine = step(n, aborts);
      JsonNode step = recorded.get(n);
      if (step == null) {
        if (!mine.isEmpty()) {
          return Optional.of(at(n) + "found " + mine + ", recorded nothing");
        }
        continue;
      }
      comparedSteps++;
      if (!step.has("freeq")) {
        mine.remove("freeq");
      }
      Map<String, String> theirs = flatten(step);
      if (!theirs.equals(mine)) {
        return Optional.of(at(n) + "\n   found " + mine + "\nrecorded " + theirs);
      }
    }
    Map<String, String> mine = new TreeMap<>();
    mine.put("running", text(scheduler.running()));
    mine.put("waiting", text(scheduler.waiting()));
    mine.put("freeq", text(cache.freeQueue()));
    Map<String, String> theirs = new TreeMap<>();
    for (String key : mine.keySet()) {
      theirs.put(key, text(scenario.get("final").get(key)));
    }
    return theirs.equals(mine)
        ? Optional.empty()
        : Optional.of(name() + " final:\n   found " + mine + "\nrecorded " + theirs);
  }

  private String name() {
    return scenario.get("name").asText();
  }

  private String at(int n) {
    return name() + " step " + n + ": ";
  }

  /** Facts of a recorded step by name, without those that are not ours to say. */
  private static Map<String, String> flatten(JsonNode step) {
    Map<String, String> facts = new TreeMap<>();
    step.fields()
        .forEachRemaining(
            field -> {
              if (field.getKey().equals("n")) {
                return;
              }
              if (!field.getValue().isObject()) {
                facts.put(field.getKey(), text(field.getValue()));
                return;
              }
              field
                  .getValue()
                  .fields()
                  .forEachRemaining(
                      inner -> {
                        String key = inner.getKey();
                        if (!key.equals("pcstat") && !key.equals("common_prefix_blocks")) {
                          facts.put(field.getKey() + "." + key, text(inner.getValue()));
                        }
                      });
            });
    return facts;
  }

  private static String text(JsonNode node) {
    return node.toString().replace("\"", "").replace(" ", "");
  }

  private static String text(Object list) {
    return list.toString().replace(" ", "");
  }

  private Map<String, String> step(int n, Map<String, String> aborts) {
    Map<String, String> facts = new TreeMap<>();
    List<ReferenceRequest> arriving = arrivals.getOrDefault(n, List.of());
    for (ReferenceRequest request : arriving) {
      present.put(request.id, request);
      scheduler.add(request);
    }
    if (!arriving.isEmpty()) {
      facts.put("arr", text(arriving));
    }
    abort(n, "before", "abort", aborts, facts);
    if (asynchronous) {
      asynchronousStep(n, aborts, facts);
    } else if (hasRequests()) {
      ReferenceEngine.Batch batch = schedule(facts);
      abort(n, "mid", "abort_mid", aborts, facts);
      update(new InFlight(n, batch), facts);
    } else {
      abort(n, "mid", "abort_mid", aborts, facts);
    }
    if (!facts.isEmpty()) {
      String queue = text(cache.freeQueue());
      CRC32 crc = new CRC32();
      crc.update(queue.substring(1, queue.length() - 1).getBytes(StandardCharsets.US_ASCII));
      facts.put("free_end", Integer.toString(cache.freeBlocks()));
      facts.put("freeq_crc", Long.toString(crc.getValue()));
      facts.put("cached", Integer.toString(cache.keyedBlocks()));
      facts.put("freeq", queue);
    }
    return facts;
  }

  private void asynchronousStep(int n, Map<String, String> aborts, Map<String, String> facts) {
    if (hasRequests()) {
      ReferenceEngine.Batch batch = schedule(facts);
      inFlight.addLast(new InFlight(n, batch));
      boolean again = batch.tokens() > 0 || (july && hasRequests());
      if (inFlight.size() < 2 && again) {
        abort(n, "mid", "abort_mid", aborts, facts);
        return;
      }
    }
    abort(n, "mid", "abort_mid", aborts, facts);
    if (!inFlight.isEmpty()) {
      update(inFlight.removeFirst(), facts);
    }
  }

  private boolean hasRequests() {
    return scheduler.hasRequests() || !undelivered.isEmpty();
  }

  private ReferenceEngine.Batch schedule(Map<String, String> facts) {
    facts.put("s.run", text(scheduler.running()));
    facts.put("s.wait", text(scheduler.waiting()));
    facts.put("s.fin_notified", text(undelivered));
    undelivered.clear();
    ReferenceEngine.Batch batch = scheduler.schedule();
    List<String> parts = new ArrayList<>();
    for (ReferenceEngine.Part part : batch.parts()) {
      String kind = "NRC".substring(part.kind().ordinal(), part.kind().ordinal() + 1);
      parts.add(
          List.of(part.request(), kind, part.computedBefore(), part.newTokens(), part.heldBlocks())
              .toString());
    }
    facts.put("s.sched", text(parts));
    facts.put("s.total", Integer.toString(batch.tokens()));
    facts.put("s.preempt", text(batch.preempted()));
    facts.put("s.ev", takeEvents());
    facts.put("s.free", Integer.toString(cache.freeBlocks()));
    return batch;
  }

  private void update(InFlight step, Map<String, String> facts) {
    scheduler.update(step.batch());
    facts.put("u.of", Integer.toString(step.step()));
    facts.put("u.tok", text(tokens));
    facts.put("u.fin", text(finishes));
    facts.put("u.ev", takeEvents());
    tokens = new ArrayList<>();
    finishes = new ArrayList<>();
  }

  private void abort(
      int n, String when, String fact, Map<String, String> aborts, Map<String, String> facts) {
    String ids = aborts.get(n + when);
    if (ids == null) {
      return;
    }
    List<String> ended = new ArrayList<>();
    for (String id : ids.split(" ", -1)) {
      ReferenceRequest request = present.get(id);
      if (request != null && !request.finished) {
        scheduler.abort(request);
        undelivered.add(id);
        ended.add(id);
      }
    }
    facts.put(fact + ".ids", text(ended));
    facts.put(fact + ".ev", takeEvents());
  }

  private String takeEvents() {
    String taken = text(events);
    events = new ArrayList<>();
    return taken;
  }

  private void event(Object... parts) {
    events.add(List.of(parts).toString());
  }

  @Override
  public void touched(List<ReferenceCache.Block> blocks) {
    event("t", blocks);
  }

  @Override
  public void taken(List<ReferenceCache.Block> blocks) {
    event("a", blocks);
  }

  @Override
  public void evicted(ReferenceCache.Block block, long key, boolean last) {
    event("e", key, block);
  }

  @Override
  public void released(
      List<ReferenceCache.Block> toTail, List<ReferenceCache.Block> toFront, int references) {
    event("f", toTail, toFront, references);
  }

  @Override
  public void lookedUp(ReferenceRequest request, int hitTokens) {
    event("q", request, hitTokens);
  }

  @Override
  public void allocationFailed(ReferenceRequest request) {
    event("x", request);
  }

  @Override
  public void assigned(ReferenceRequest request, int firstBlock, int endBlock) {
    List<ReferenceCache.Block> blocks = request.blocks.subList(firstBlock, endBlock);
    event("s", request, firstBlock, blocks.stream().map(b -> b.key).toList(), List.copyOf(blocks));
  }

  @Override
  public void preempting(ReferenceRequest request) {
    event("p", request);
  }

  @Override
  public void token(ReferenceRequest request) {
    tokens.add(request.id);
  }

  @Override
  public void finishing(ReferenceRequest request, boolean byStopToken) {
    finishes.add(List.of(request, byStopToken ? "stop" : "length").toString());
    undelivered.add(request.id);
  }
}
