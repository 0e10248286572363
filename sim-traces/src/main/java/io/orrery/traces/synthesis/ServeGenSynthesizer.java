package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceProvenance;
import io.orrery.traces.TraceRow;
import io.orrery.traces.TraceRowWriter;
import io.orrery.traces.synthesis.ServeGenClient.Window;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Draws a trace from clients of ServeGen: each sends requests at the rates of its windows, with
 * lengths by its data of that time. Input and output lengths are drawn independently, as the files
 * hold them. Nothing is known of prefixes. What is held in memory is one request per client.
 */
public final class ServeGenSynthesizer {
  private static final double NANOS_PER_S = 1e9;
  private static final String INPUT = "input_tokens";
  private static final String OUTPUT = "output_tokens";

  /** Of no consequence: blocks have no identity. */
  private static final int BLOCK_SIZE = 16;

  private static final int[] NO_RUNS = {};
  private static final long[] NO_WAITS = {};
  private static final boolean[] NO_TRIGGERS = {};

  private final List<ServeGenClient> clients;
  private final long seed;
  private final double speed;

  /**
   * @param rate mean requests per s of all clients together over their windows; 0 for their own
   */
  public ServeGenSynthesizer(List<ServeGenClient> clients, double rate, long seed) {
    this.clients = clients;
    this.seed = seed;
    double own = meanRate(clients);
    if (!(own > 0)) {
      throw new TraceException(
          null, 0, "rate", "0 in all windows", "a client that sends something");
    }
    speed = rate > 0 ? rate / own : 1;
  }

  /**
   * Requests per s that are expected of all clients, from the first window to the last one's end.
   */
  static double meanRate(List<ServeGenClient> clients) {
    double begin = Double.POSITIVE_INFINITY;
    double end = 0;
    double expected = 0;
    for (ServeGenClient client : clients) {
      List<Window> windows = client.windows();
      begin = Math.min(begin, windows.get(0).startSeconds());
      double clientEnd = ServeGenArrivals.end(windows);
      end = Math.max(end, clientEnd);
      for (int w = 0; w < windows.size(); w++) {
        double until = w + 1 < windows.size() ? windows.get(w + 1).startSeconds() : clientEnd;
        expected += windows.get(w).rate() * (until - windows.get(w).startSeconds());
      }
    }
    return expected / (end - begin);
  }

  /**
   * Writes a trace in Orrery's own format.
   *
   * @param most requests at most
   */
  public ProfileSynthesizer.Written write(Path file, int most) {
    PriorityQueue<Sender> senders =
        new PriorityQueue<>(
            Comparator.comparingDouble((Sender sender) -> sender.arrivals.seconds())
                .thenComparingInt(sender -> sender.number));
    for (int i = 0; i < clients.size(); i++) {
      senders.add(new Sender(clients.get(i), i));
    }
    int rows = 0;
    double first = senders.element().arrivals.seconds();
    try (TraceRowWriter writer = new TraceRowWriter(file, BLOCK_SIZE, true, false)) {
      while (rows < most && senders.element().arrivals.seconds() < Double.POSITIVE_INFINITY) {
        Sender sender = senders.remove();
        writer.write(sender.row(rows++, first));
        sender.arrivals.next();
        senders.add(sender);
      }
      if (rows == 0) {
        throw new TraceException(null, 0, "windows", "no request in them", "longer or busier ones");
      }
      writer.commit(0, provenance());
    }
    return new ProfileSynthesizer.Written(rows, rows);
  }

  private TraceProvenance provenance() {
    return new TraceProvenance(
        "synthetic",
        List.of(),
        BLOCK_SIZE,
        "ns",
        "prompts have no block identities",
        "the first start is 0",
        "each request is a session",
        Map.of(),
        List.of(
            "Synthesized, seed " + seed + ", from " + clients.size() + " clients of ServeGen."));
  }

  /** A client and what it sends next. */
  private final class Sender {
    final int number;
    final ServeGenArrivals arrivals;
    private final RandomStream lengths;
    private final NavigableMap<Long, Lengths> inputs = new TreeMap<>();
    private final NavigableMap<Long, Lengths> outputs = new TreeMap<>();

    Sender(ServeGenClient client, int number) {
      this.number = number;
      arrivals = new ServeGenArrivals(client, speed, new RandomStream(seed, "client", number));
      lengths = new RandomStream(seed, "client lengths", number);
      client
          .lengths()
          .forEach(
              (start, measures) -> {
                inputs.put(start, Lengths.of(measures, INPUT));
                outputs.put(start, Lengths.of(measures, OUTPUT));
              });
    }

    TraceRow row(int session, double first) {
      double seconds = arrivals.seconds();
      return new TraceRow(
          session,
          -1,
          Math.round((seconds - first) * NANOS_PER_S),
          at(inputs, seconds).draw(lengths),
          at(outputs, seconds).draw(lengths),
          0,
          0,
          NO_RUNS,
          new int[0],
          NO_TRIGGERS,
          NO_WAITS,
          Trace.NO_TIME,
          null);
    }

    private static Lengths at(NavigableMap<Long, Lengths> windows, double seconds) {
      Map.Entry<Long, Lengths> entry = windows.floorEntry((long) seconds);
      return entry == null ? windows.firstEntry().getValue() : entry.getValue();
    }
  }

  /**
   * A distribution of lengths.
   *
   * @param upTo sums of the probabilities
   */
  private record Lengths(int[] values, double[] upTo) {
    static Lengths of(SortedMap<String, SortedMap<Integer, Double>> measures, String name) {
      SortedMap<Integer, Double> probabilities = measures.get(name);
      double sum = 0;
      List<Integer> values = new ArrayList<>();
      List<Double> upTo = new ArrayList<>();
      if (probabilities != null) {
        for (Map.Entry<Integer, Double> entry : probabilities.entrySet()) {
          sum += entry.getValue();
          values.add(Math.max(1, entry.getKey()));
          upTo.add(sum);
        }
      }
      if (!(sum > 0)) {
        throw new TraceException(
            null,
            0,
            "dataset." + name,
            probabilities == null
                ? "only " + String.join(", ", measures.keySet())
                : "no probability",
            "probabilities of lengths");
      }
      return new Lengths(
          values.stream().mapToInt(Integer::intValue).toArray(),
          upTo.stream().mapToDouble(Double::doubleValue).toArray());
    }

    int draw(RandomStream stream) {
      int place = Arrays.binarySearch(upTo, stream.uniform() * upTo[upTo.length - 1]);
      // A hit is the end of a value's part, which belongs to the next one.
      int index = place < 0 ? -place - 1 : place + 1;
      return values[Math.min(index, values.length - 1)];
    }
  }
}
