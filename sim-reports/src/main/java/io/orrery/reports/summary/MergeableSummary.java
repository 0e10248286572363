package io.orrery.reports.summary;

import io.orrery.engine.record.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Numbers of several runs as one. Counts and what else adds up is added, exactly. Quantiles are
 * those of all samples together: exact up to {@value Samples#EXACT_LIMIT} samples, beyond that with
 * the error that the summary names ({@code relative_error}). Of all other numbers, such as shares
 * and levels over time, the least, the greatest and the mean over the runs are told. The result
 * depends on which runs there are, not on the order in which they are added.
 */
public final class MergeableSummary {
  /** Decimal numbers that add up. */
  private static final Set<String> SUMS =
      Set.of(
          "cost.gpu_hours",
          "cost.usd",
          "cost.kwh",
          "gpu_seconds.prefill",
          "gpu_seconds.decode",
          "gpu_seconds.idle");

  private static final String HIT_RATE = "hit_rate.tokens";
  private static final String INPUT = "tokens.input";
  private static final String HITS = "ledger_tokens.hit_";

  /** Samples of a metric, so many of which are one unit of it. */
  record Quantiles(Samples samples, double unit) {}

  /**
   * A number over several runs.
   *
   * @param sum of all of them
   * @param runs that have it
   */
  public record Spread(BigDecimal least, BigDecimal greatest, BigDecimal sum, long runs) {
    Spread and(Spread other) {
      return new Spread(
          least.min(other.least),
          greatest.max(other.greatest),
          sum.add(other.sum),
          runs + other.runs);
    }

    /** The mean over the runs. */
    public double mean() {
      return sum.doubleValue() / runs;
    }
  }

  private final Map<String, Long> counts = new TreeMap<>();
  private final Map<String, BigDecimal> sums = new TreeMap<>();
  private final Map<String, Quantiles> quantiles = new TreeMap<>();
  private final Map<String, Spread> spreads = new TreeMap<>();

  /** A summary of no run. */
  public MergeableSummary() {}

  static MergeableSummary of(Summary summary, Map<String, Quantiles> samples) {
    MergeableSummary made = new MergeableSummary();
    made.quantiles.putAll(samples);
    summary
        .values()
        .forEach(
            (key, value) -> {
              Metric metric = Metrics.of(key);
              if (metric.shape() == Metric.Shape.COUNT) {
                made.counts.put(key, value.longValue());
              } else if (SUMS.contains(key)) {
                made.sums.put(key, decimal(value));
              } else if (metric.shape() != Metric.Shape.QUANTILES) {
                BigDecimal one = decimal(value);
                made.spreads.put(key, new Spread(one, one, one, 1));
              }
            });
    return made;
  }

  private static BigDecimal decimal(Number value) {
    return value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(value.longValue());
  }

  /** Takes in the numbers of other runs. */
  public void add(MergeableSummary other) {
    other.counts.forEach((key, count) -> counts.merge(key, count, Long::sum));
    other.sums.forEach((key, sum) -> sums.merge(key, sum, BigDecimal::add));
    other.spreads.forEach((key, spread) -> spreads.merge(key, spread, Spread::and));
    other.quantiles.forEach(
        (key, samples) -> {
          Quantiles all =
              quantiles.computeIfAbsent(key, k -> new Quantiles(new Samples(), samples.unit()));
          all.samples().addAll(samples.samples());
        });
  }

  /** What adds up, and quantiles of all samples, in the order of the metrics. */
  public Summary summary() {
    Summary.Builder out = new Summary.Builder();
    for (MetricGroup group : Metrics.groups()) {
      for (Metric metric : group.metrics()) {
        put(metric, out);
      }
    }
    return out.build();
  }

  private void put(Metric metric, Summary.Builder out) {
    String key = metric.key();
    if (counts.containsKey(key)) {
      out.put(metric, counts.getOrDefault(key, 0L).longValue());
    }
    BigDecimal sum = sums.get(key);
    if (sum != null) {
      out.put(metric, sum);
    }
    Quantiles samples = quantiles.get(key);
    if (samples != null) {
      out.put(metric, samples.samples(), samples.unit());
    }
    if (key.equals(HIT_RATE) && counts.getOrDefault(INPUT, 0L) > 0) {
      long hits = 0;
      for (Map.Entry<String, Long> count : counts.entrySet()) {
        hits += count.getKey().startsWith(HITS) ? count.getValue() : 0;
      }
      out.put(metric, (double) hits / counts.getOrDefault(INPUT, 1L));
    }
  }

  /** All other numbers by key, over the runs that have them. */
  public Map<String, Spread> spreads() {
    Map<String, Spread> inOrder = new LinkedHashMap<>(spreads);
    if (counts.getOrDefault(INPUT, 0L) > 0) {
      inOrder.remove(HIT_RATE);
    }
    return inOrder;
  }

  /** All of it as bytes, for {@link #read}. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(counts.size());
      for (Map.Entry<String, Long> count : counts.entrySet()) {
        out.writeUTF(count.getKey());
        out.writeLong(count.getValue());
      }
      out.writeInt(sums.size());
      for (Map.Entry<String, BigDecimal> sum : sums.entrySet()) {
        out.writeUTF(sum.getKey());
        out.writeUTF(sum.getValue().toString());
      }
      out.writeInt(spreads.size());
      for (Map.Entry<String, Spread> spread : spreads.entrySet()) {
        out.writeUTF(spread.getKey());
        out.writeUTF(spread.getValue().least().toString());
        out.writeUTF(spread.getValue().greatest().toString());
        out.writeUTF(spread.getValue().sum().toString());
        out.writeLong(spread.getValue().runs());
      }
      out.writeInt(quantiles.size());
      for (Map.Entry<String, Quantiles> samples : quantiles.entrySet()) {
        out.writeUTF(samples.getKey());
        out.writeDouble(samples.getValue().unit());
        long[] state = samples.getValue().samples().state();
        out.writeInt(state.length);
        for (long number : state) {
          out.writeLong(number);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** What {@link #toBytes} wrote. */
  public static MergeableSummary read(byte[] bytes) {
    MergeableSummary read = new MergeableSummary();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int left = in.readInt(); left > 0; left--) {
        read.counts.put(in.readUTF(), in.readLong());
      }
      for (int left = in.readInt(); left > 0; left--) {
        read.sums.put(in.readUTF(), new BigDecimal(in.readUTF()));
      }
      for (int left = in.readInt(); left > 0; left--) {
        String key = in.readUTF();
        BigDecimal least = new BigDecimal(in.readUTF());
        BigDecimal greatest = new BigDecimal(in.readUTF());
        BigDecimal sum = new BigDecimal(in.readUTF());
        read.spreads.put(key, new Spread(least, greatest, sum, in.readLong()));
      }
      for (int left = in.readInt(); left > 0; left--) {
        String key = in.readUTF();
        double unit = in.readDouble();
        long[] state = new long[in.readInt()];
        for (int i = 0; i < state.length; i++) {
          state[i] = in.readLong();
        }
        read.quantiles.put(key, new Quantiles(Samples.of(state), unit));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read;
  }
}
