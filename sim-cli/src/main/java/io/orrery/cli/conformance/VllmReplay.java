package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.engine.cache.PoolListener;
import io.orrery.engine.scheduler.Batch;
import io.orrery.engine.scheduler.PrefixCacheCounters;
import io.orrery.engine.scheduler.SchedulerListener;
import io.orrery.engine.scheduler.Sequence;
import io.orrery.engine.scheduler.VllmScheduler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Drives {@link VllmScheduler} through vLLM's engine loop ({@code EngineCore.step}, or {@code
 * step_with_batch_queue} with two batches) and writes each step down in the form of the recordings.
 */
final class VllmReplay implements SchedulerListener, PoolListener {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int QUEUE_SIZE = 2;

  private record InFlight(int step, Batch batch) {}

  private final VllmScenario scenario;
  private final VllmScheduler scheduler;
  private final Sequence[] sequences;
  private final TreeSet<String> finishedSinceSchedule = new TreeSet<>();
  private final ArrayDeque<InFlight> queue = new ArrayDeque<>();
  private final int[] freeQueue;
  private int nextArrival;
  private long[] lastCounters = new long[6];

  private ArrayNode events = JSON.arrayNode();
  private ArrayNode preempted = JSON.arrayNode();
  private ArrayNode tokens = JSON.arrayNode();
  private ArrayNode finishes = JSON.arrayNode();

  VllmReplay(VllmScenario scenario) {
    this.scenario = scenario;
    scheduler = new VllmScheduler(scenario.settings(), this, this);
    sequences = new Sequence[scenario.requestCount()];
    freeQueue = new int[scenario.settings().blocks()];
  }

  /** Runs step {@code n} and returns what happened, or null if nothing did. */
  @Nullable ObjectNode step(int n) {
    ObjectNode out = JSON.objectNode();
    out.put("n", n);
    arrive(n, out);
    boolean active = abort(n, true) | out.has("arr");
    boolean asynchronous = scenario.settings().asynchronous();
    if (hasRequests()) {
      InFlight made = schedule(n, out);
      queue.add(made);
      active = true;
      boolean goesOn =
          asynchronous
              && queue.size() < QUEUE_SIZE
              && (made.batch().totalTokens() > 0
                  || (scenario.emptyBatchReturns() && hasRequests()));
      if (!goesOn) {
        update(n, queue.remove(), out);
      }
    } else if (!queue.isEmpty()) {
      update(n, queue.remove(), out);
      active = true;
    }
    if (!active) {
      return null;
    }
    int free = scheduler.pool().copyFreeQueue(freeQueue);
    out.put("free_end", free);
    out.put("freeq_crc", crc(free));
    out.put("cached", scheduler.pool().keyedBlocks());
    return out;
  }

  /**
   * Whether a further step would do something: requests, finishes to deliver or a batch in flight.
   */
  boolean hasWork() {
    return nextArrival < sequences.length || hasRequests() || !queue.isEmpty();
  }

  /** The state at the end, in the form of the recordings' {@code final}. */
  ObjectNode finalState() {
    ObjectNode out = JSON.objectNode();
    out.set("running", running());
    out.set("waiting", waiting());
    ArrayNode free = out.putArray("freeq");
    int count = scheduler.pool().copyFreeQueue(freeQueue);
    for (int i = 0; i < count; i++) {
      free.add(freeQueue[i]);
    }
    TreeSet<String> unfinished = new TreeSet<>();
    for (int i = 0; i < sequences.length; i++) {
      if (i >= nextArrival || sequences[i].state != Sequence.State.FINISHED) {
        unfinished.add(scenario.id(i));
      }
    }
    ArrayNode left = out.putArray("unfinished");
    unfinished.forEach(left::add);
    return out;
  }

  private void arrive(int n, ObjectNode out) {
    ArrayNode arrivals = JSON.arrayNode();
    while (nextArrival < sequences.length && scenario.arrivalStep(nextArrival) <= n) {
      Sequence sequence = scenario.newSequence(nextArrival);
      sequences[nextArrival] = sequence;
      scheduler.add(sequence);
      arrivals.add(scenario.id(nextArrival++));
    }
    if (!arrivals.isEmpty()) {
      out.set("arr", arrivals);
    }
  }

  private boolean abort(int n, boolean beforeSchedule) {
    boolean any = false;
    for (VllmScenario.Abort abort : scenario.aborts()) {
      if (abort.step() != n || abort.beforeSchedule() != beforeSchedule) {
        continue;
      }
      any = true;
      for (int i = 0; i < nextArrival; i++) {
        if (scenario.id(i).equals(abort.id()) && sequences[i].state != Sequence.State.FINISHED) {
          scheduler.abort(sequences[i]);
          finishedSinceSchedule.add(abort.id());
        }
      }
    }
    return any;
  }

  private boolean hasRequests() {
    return scheduler.runningCount() + scheduler.waitingCount() > 0
        || !finishedSinceSchedule.isEmpty();
  }

  private InFlight schedule(int n, ObjectNode out) {
    ObjectNode facts = out.putObject("s");
    facts.set("run", running());
    facts.set("wait", waiting());
    Batch batch = new Batch();
    scheduler.schedule(batch);
    ArrayNode scheduled = facts.putArray("sched");
    for (int i = 0; i < batch.size(); i++) {
      Sequence sequence = batch.sequence(i);
      scheduled
          .addArray()
          .add(id(sequence))
          .add(
              batch
                  .kind(i)
                  .name()
                  .substring(0, 1)
                  .replace("R", batch.kind(i) == Batch.Kind.RUNNING ? "C" : "R"))
          .add(batch.computedBefore(i))
          .add(batch.newTokens(i))
          .add(sequence.blockCount());
    }
    facts.put("total", batch.totalTokens());
    facts.set("preempt", preempted);
    ArrayNode notified = facts.putArray("fin_notified");
    finishedSinceSchedule.forEach(notified::add);
    finishedSinceSchedule.clear();
    facts.set("ev", takeEvents());
    facts.put("free", scheduler.pool().freeBlocks());
    preempted = JSON.arrayNode();
    return new InFlight(n, batch);
  }

  private void update(int n, InFlight done, ObjectNode out) {
    abort(n, false);
    takeEvents();
    scheduler.update(done.batch());
    ObjectNode facts = out.putObject("u");
    facts.set("tok", tokens);
    facts.set("fin", finishes);
    facts.set("ev", takeEvents());
    facts.set("pcstat", counters());
    facts.put("of", done.step());
    tokens = JSON.arrayNode();
    finishes = JSON.arrayNode();
  }

  private ArrayNode counters() {
    PrefixCacheCounters c = scheduler.counters();
    long[] now = {
      c.requests(), c.queriedTokens(), c.hitTokens(),
      c.preemptedRequests(), c.preemptedQueriedTokens(), c.preemptedHitTokens()
    };
    ArrayNode out = JSON.arrayNode();
    for (int i = 0; i < now.length; i++) {
      out.add((int) (now[i] - lastCounters[i]));
    }
    lastCounters = now;
    return out;
  }

  private ArrayNode running() {
    ArrayNode out = JSON.arrayNode();
    for (int i = 0; i < scheduler.runningCount(); i++) {
      out.add(id(scheduler.running(i)));
    }
    return out;
  }

  private ArrayNode waiting() {
    ArrayNode out = JSON.arrayNode();
    for (int i = 0; i < scheduler.waitingCount(); i++) {
      out.add(id(scheduler.waiting(i)));
    }
    return out;
  }

  private long crc(int free) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < free; i++) {
      text.append(i == 0 ? "" : ",").append(freeQueue[i]);
    }
    CRC32 crc = new CRC32();
    crc.update(text.toString().getBytes(StandardCharsets.US_ASCII));
    return crc.getValue();
  }

  private ArrayNode takeEvents() {
    ArrayNode taken = events;
    events = JSON.arrayNode();
    return taken;
  }

  private String id(Sequence sequence) {
    return scenario.id(sequence.request);
  }

  @Override
  public void lookedUp(Sequence sequence, int hitTokens) {
    events.addArray().add("q").add(id(sequence)).add(hitTokens);
  }

  @Override
  public void allocationFailed(Sequence sequence) {
    events.addArray().add("x").add(id(sequence));
  }

  @Override
  public void preempted(Sequence sequence, int computedTokens) {
    events.addArray().add("p").add(id(sequence));
    preempted.add(id(sequence));
  }

  @Override
  public void token(Sequence sequence) {
    tokens.add(id(sequence));
  }

  @Override
  public void finishing(Sequence sequence) {
    boolean stopped = sequence.outputs >= sequence.stopAfter;
    finishes.addArray().add(id(sequence)).add(stopped ? "stop" : "length");
    finishedSinceSchedule.add(id(sequence));
  }

  @Override
  public void stored(long first, long last) {}

  @Override
  public void removed(long first, long last) {}

  @Override
  public void assigned(int block, long key) {
    events.addArray().add("s").add(key).add(block);
  }

  @Override
  public void evicted(int block, long key) {
    events.addArray().add("e").add(key).add(block);
  }
}
