package io.orrery.spark.stats;

import io.orrery.reports.traces.TraceNumber;
import io.orrery.traces.analysis.Concurrency;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.ExactSum;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** What is told of numbers once they are sorted, exactly, in as many pieces as they lie in. */
final class SortedNumbers {
  private static final double[] SHARES = {0.1, 0.5, 0.9, 0.99, 1};

  /** One number, among others of its kind. */
  record Sample(TraceNumber kind, long value) implements Serializable, Comparable<Sample> {
    @Override
    public int compareTo(Sample other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : Long.compare(value, other.value);
    }
  }

  /** How many numbers there are, and their sum. */
  private record Total(long count, ExactSum sum) implements Serializable {}

  private SortedNumbers() {}

  /** The distribution of each kind that has numbers. */
  static Map<TraceNumber, Distribution> distributions(JavaRDD<Sample> samples) {
    JavaPairRDD<Sample, Long> counted =
        samples
            .mapToPair(sample -> new Tuple2<>(sample, 1L))
            .reduceByKey(Long::sum)
            .sortByKey()
            .cache();
    List<Map<TraceNumber, Total>> totals =
        counted.mapPartitions(part -> List.of(totals(part)).iterator()).collect();
    Map<TraceNumber, long[]> ranks = new EnumMap<>(TraceNumber.class);
    Map<TraceNumber, Distribution> result = new EnumMap<>(TraceNumber.class);
    Map<TraceNumber, Total> all = sum(totals);
    all.forEach((kind, total) -> ranks.put(kind, ranks(total.count())));
    // How many there are before each part.
    List<Map<TraceNumber, Long>> before = new ArrayList<>();
    Map<TraceNumber, Long> seen = new EnumMap<>(TraceNumber.class);
    for (Map<TraceNumber, Total> part : totals) {
      before.add(new EnumMap<>(seen));
      part.forEach((kind, total) -> seen.merge(kind, total.count(), Long::sum));
    }
    Map<TraceNumber, double[]> quantiles = new EnumMap<>(TraceNumber.class);
    counted
        .mapPartitionsWithIndex((part, values) -> found(values, before.get(part), ranks), true)
        .collect()
        .forEach(
            hit ->
                quantiles
                        .computeIfAbsent(hit.kind(), kind -> new double[SHARES.length])[
                        hit.place()] =
                    hit.value());
    counted.unpersist();
    all.forEach(
        (kind, total) -> {
          double[] q = quantiles.getOrDefault(kind, new double[SHARES.length]);
          double mean = total.sum().value() / total.count();
          result.put(
              kind,
              new Distribution(total.count(), mean, q[0], q[1], q[2], q[3], q[4]).in(kind.scale()));
        });
    return result;
  }

  private static Map<TraceNumber, Total> totals(Iterator<Tuple2<Sample, Long>> part) {
    Map<TraceNumber, Total> totals = new EnumMap<>(TraceNumber.class);
    while (part.hasNext()) {
      Tuple2<Sample, Long> next = part.next();
      Total before = totals.get(next._1().kind());
      ExactSum sum = before == null ? new ExactSum() : before.sum();
      sum.addTimes(next._1().value(), next._2());
      long count = next._2() + (before == null ? 0 : before.count());
      totals.put(next._1().kind(), new Total(count, sum));
    }
    return totals;
  }

  private static Map<TraceNumber, Total> sum(List<Map<TraceNumber, Total>> parts) {
    Map<TraceNumber, Total> all = new EnumMap<>(TraceNumber.class);
    for (Map<TraceNumber, Total> part : parts) {
      part.forEach(
          (kind, total) -> {
            Total before = all.get(kind);
            ExactSum sum = before == null ? new ExactSum() : before.sum();
            sum.add(total.sum());
            all.put(kind, new Total(total.count() + (before == null ? 0 : before.count()), sum));
          });
    }
    return all;
  }

  /** Places, from 1, of the quantiles among so many sorted numbers. */
  private static long[] ranks(long count) {
    long[] ranks = new long[SHARES.length];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = Distribution.rank(SHARES[i], count);
    }
    return ranks;
  }

  /** A quantile that lies in a part. */
  private record Hit(TraceNumber kind, int place, long value) implements Serializable {}

  private static Iterator<Hit> found(
      Iterator<Tuple2<Sample, Long>> part,
      Map<TraceNumber, Long> before,
      Map<TraceNumber, long[]> ranks) {
    List<Hit> hits = new ArrayList<>();
    Map<TraceNumber, Long> seen = new EnumMap<>(TraceNumber.class);
    seen.putAll(before);
    while (part.hasNext()) {
      Tuple2<Sample, Long> next = part.next();
      TraceNumber kind = next._1().kind();
      long from = seen.getOrDefault(kind, 0L);
      long to = from + next._2();
      long[] wanted = ranks.getOrDefault(kind, new long[0]);
      for (int place = 0; place < wanted.length; place++) {
        if (wanted[place] > from && wanted[place] <= to) {
          hits.add(new Hit(kind, place, next._1().value()));
        }
      }
      seen.put(kind, to);
    }
    return hits.iterator();
  }

  /** The differences of neighbours among sorted numbers. */
  static JavaRDD<Long> gaps(JavaRDD<Long> numbers) {
    JavaRDD<Long> sorted = numbers.sortBy(number -> number, true, numbers.getNumPartitions());
    List<List<Long>> lasts =
        sorted
            .mapPartitions(
                part -> {
                  Long last = null;
                  while (part.hasNext()) {
                    last = part.next();
                  }
                  return List.of(last == null ? List.<Long>of() : List.of(last)).iterator();
                })
            .collect();
    return sorted.mapPartitionsWithIndex(
        (part, values) -> {
          Long before = null;
          for (int i = 0; i < part; i++) {
            before = lasts.get(i).isEmpty() ? before : lasts.get(i).get(0);
          }
          List<Long> gaps = new ArrayList<>();
          while (values.hasNext()) {
            long next = values.next();
            if (before != null) {
              gaps.add(next - before);
            }
            before = next;
          }
          return gaps.iterator();
        },
        true);
  }

  /** That something began, or ended; whoever ends when another begins was there with it. */
  private record Event(long time, boolean end) implements Serializable, Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Boolean.compare(end, other.end);
    }
  }

  /** From one time to another, ns. */
  record Stretch(long from, long to) implements Serializable {}

  /** What a part of all events adds: how many are there at its end, and at most inside it. */
  private record Level(long change, long most, long first, long last) implements Serializable {}

  /** How many stretches there are at once. */
  static Concurrency concurrency(JavaRDD<Stretch> stretches) {
    ExactSum time =
        stretches.aggregate(
            new ExactSum(),
            (sum, stretch) -> {
              sum.add(stretch.to() - stretch.from());
              return sum;
            },
            (a, b) -> {
              a.add(b);
              return a;
            });
    List<Level> levels =
        stretches
            .flatMap(
                stretch ->
                    List.of(new Event(stretch.from(), false), new Event(stretch.to(), true))
                        .iterator())
            .mapToPair(event -> new Tuple2<>(event, 1L))
            .reduceByKey(Long::sum)
            .sortByKey()
            .mapPartitions(SortedNumbers::level)
            .collect();
    if (levels.isEmpty()) {
      return new Concurrency(Double.NaN, 0);
    }
    long most = 0;
    long there = 0;
    for (Level level : levels) {
      most = Math.max(most, there + level.most());
      there += level.change();
    }
    long span = levels.get(levels.size() - 1).last() - levels.get(0).first();
    return new Concurrency(time.value() / Math.max(1, span), most);
  }

  private static Iterator<Level> level(Iterator<Tuple2<Event, Long>> events) {
    if (!events.hasNext()) {
      return Collections.emptyIterator();
    }
    long there = 0;
    long most = 0;
    long first = -1;
    long last = 0;
    while (events.hasNext()) {
      Tuple2<Event, Long> next = events.next();
      there += next._1().end() ? -next._2() : next._2();
      most = Math.max(most, there);
      last = next._1().time();
      first = first < 0 ? last : first;
    }
    return List.of(new Level(there, most, first, last)).iterator();
  }
}
