package io.orrery.spark.stats;

import io.orrery.reports.TraceDescription;
import io.orrery.reports.traces.TraceNumber;
import io.orrery.reports.traces.TraceSummary;
import io.orrery.spark.stats.BlockRange.Known;
import io.orrery.spark.stats.BlockRange.KnownOf;
import io.orrery.spark.stats.BlockRange.Times;
import io.orrery.spark.stats.SortedNumbers.Sample;
import io.orrery.spark.stats.SortedNumbers.Stretch;
import io.orrery.spark.stats.TreeFacts.Counts;
import io.orrery.traces.TraceHeader;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Concurrency;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.ExactSum;
import io.orrery.traces.analysis.PlacementChance;
import io.orrery.traces.columns.LongColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** The statistics of one trace. */
public final class TraceSummaryJob {
  private final SparkSession session;
  private final String place;
  private final TraceHeader header;
  private final TraceShape shape;
  private final int pieces;

  /**
   * @param place of a file in Orrery's own format, for Spark to read
   * @param name of the file, for messages
   */
  public TraceSummaryJob(SparkSession session, String place, String name, TraceHeader header) {
    this.session = session;
    this.place = place;
    this.header = header;
    pieces = 4 * session.sparkContext().defaultParallelism();
    shape = TraceShape.of(name, header, pieces);
  }

  /** The statistics. */
  public TraceSummary summary() {
    JavaRDD<TraceRequest> requests =
        session
            .read()
            .parquet(place)
            .select(TraceRequest.columns())
            .javaRDD()
            .map(TraceRequest::of);
    // What is sent to tasks must not hold this object.
    TraceShape told = shape;
    JavaRDD<TreeFacts> trees =
        byTree(requests)
            .groupByKey()
            .map(tree -> new SessionTree(told, tree._1(), tree._2()).facts())
            .persist(StorageLevel.MEMORY_AND_DISK());
    try {
      return summary(trees);
    } finally {
      trees.unpersist();
    }
  }

  /** Requests by the number of their root session. */
  private static JavaPairRDD<Integer, TraceRequest> byTree(JavaRDD<TraceRequest> requests) {
    JavaPairRDD<Integer, TraceRequest> bySession =
        requests.mapToPair(request -> new Tuple2<>(request.session(), request));
    JavaPairRDD<Integer, Integer> parents =
        requests
            .filter(request -> request.parent() >= 0)
            .mapToPair(request -> new Tuple2<>(request.session(), request.parent()))
            .cache();
    if (parents.isEmpty()) {
      return bySession;
    }
    JavaPairRDD<Integer, Integer> roots = parents;
    boolean moved = true;
    while (moved) {
      // Those whose root so far has a parent itself move up one step.
      JavaPairRDD<Integer, Tuple2<Integer, Optional<Integer>>> steps =
          roots.mapToPair(Tuple2::swap).leftOuterJoin(parents).cache();
      moved = !steps.filter(step -> step._2()._2().isPresent()).isEmpty();
      roots =
          steps.mapToPair(step -> new Tuple2<>(step._2()._1(), step._2()._2().orElse(step._1())));
    }
    return bySession
        .leftOuterJoin(roots)
        .mapToPair(
            request -> new Tuple2<>(request._2()._2().orElse(request._1()), request._2()._1()));
  }

  /** What has to be known of all trees before blocks can be told. */
  private record Whole(Counts counts, long lastStart) implements Serializable {}

  private TraceSummary summary(JavaRDD<TreeFacts> trees) {
    Whole whole =
        trees
            .map(tree -> new Whole(tree.counts(), tree.lastStart()))
            .fold(
                new Whole(Counts.NONE, 0),
                (a, b) ->
                    new Whole(a.counts().and(b.counts()), Math.max(a.lastStart(), b.lastStart())));
    Counts counts = whole.counts();
    Reuse reuse = shape.blocksKnown() ? new Reuse(trees, whole) : null;
    boolean timed = counts.timed() > 0;
    boolean several = counts.sessions() < counts.requests();
    Concurrency sessions =
        shape.sharedClock() && (timed || several)
            ? SortedNumbers.concurrency(
                trees.map(tree -> new Stretch(tree.firstStart(), tree.end())))
            : null;
    Concurrency inFlight =
        shape.sharedClock() && timed
            ? SortedNumbers.concurrency(trees.flatMap(tree -> stretches(tree).iterator()))
            : null;
    TraceDescription description =
        TraceDescription.of(
            header.provenance(),
            shape.blockSize(),
            counts.requests(),
            counts.sessions(),
            header.blockCount(),
            header.sharedClock());
    return new TraceSummary(
        header.provenance(),
        description,
        header.sharedClock(),
        statistics(counts, reuse),
        whole.lastStart(),
        distributions(trees, several),
        sessions,
        inFlight,
        reuse == null ? null : reuse.told());
  }

  private static List<Stretch> stretches(TreeFacts tree) {
    List<Stretch> stretches = new ArrayList<>();
    for (int i = 0; i < tree.from().length; i++) {
      stretches.add(new Stretch(tree.from()[i], tree.to()[i]));
    }
    return stretches;
  }

  private TraceStatistics statistics(Counts counts, @Nullable Reuse reuse) {
    return new TraceStatistics(
        counts.requests(),
        counts.sessions(),
        counts.topLevelRequests(),
        counts.requests() - counts.topLevelRequests(),
        counts.input(),
        counts.topLevelInput(),
        counts.output(),
        header.blockCount(),
        counts.promptBlocks(),
        reuse == null ? 0 : reuse.sums.blocks(),
        reuse == null ? 0 : reuse.sums.prefixTokens(),
        counts.sessionReused(),
        counts.topLevelSessionReused(),
        counts.unidentified(),
        counts.unidentifiedRequests());
  }

  private Map<TraceNumber, Distribution> distributions(JavaRDD<TreeFacts> trees, boolean several) {
    JavaRDD<Sample> samples = trees.flatMap(tree -> samples(tree).iterator());
    if (shape.sharedClock()) {
      samples =
          samples.union(
              SortedNumbers.gaps(trees.map(TreeFacts::rootStart))
                  .map(gap -> new Sample(TraceNumber.INTER_ARRIVAL, gap)));
    }
    Map<TraceNumber, Distribution> found = new EnumMap<>(TraceNumber.class);
    found.putAll(SortedNumbers.distributions(samples));
    if (!several) {
      found.remove(TraceNumber.SESSION_TIME);
    }
    return found;
  }

  private static List<Sample> samples(TreeFacts tree) {
    List<Sample> samples = new ArrayList<>();
    tree.samples()
        .forEach(
            (kind, values) -> {
              for (long value : values) {
                samples.add(new Sample(kind, value));
              }
            });
    return samples;
  }

  /** What comes of all ranges of blocks, and of all requests after that. */
  private final class Reuse {
    private final Counts counts;
    private final Times times;
    private final Sums sums;
    private final long end;

    Reuse(JavaRDD<TreeFacts> trees, Whole whole) {
      counts = whole.counts();
      end = whole.lastStart();
      TraceShape told = shape;
      long last = end;
      JavaRDD<Tuple2<Times, List<KnownOf>>> ranges =
          trees
              .flatMap(tree -> tree.touches().iterator())
              .mapToPair(touch -> new Tuple2<>(touch.first() / told.range(), touch))
              .groupByKey(pieces)
              .map(
                  range -> {
                    BlockRange blocks = new BlockRange(told, range._1(), range._2());
                    return new Tuple2<>(blocks.times(last), blocks.known());
                  })
              .persist(StorageLevel.MEMORY_AND_DISK());
      times = ranges.map(Tuple2::_1).fold(Times.none(), Times::and);
      int blockSize = told.blockSize();
      sums =
          ranges
              .flatMap(range -> range._2().iterator())
              .mapToPair(known -> new Tuple2<>(known.row(), known.known()))
              .reduceByKey(Known::and)
              .map(request -> Sums.of(request._2(), blockSize))
              .fold(Sums.none(), Sums::and);
      ranges.unpersist();
    }

    BlockReuse told() {
      long input = counts.input() - counts.unidentified();
      long requests = counts.requests() - counts.unidentifiedRequests();
      double[] hits = new double[times.hitTokens().length];
      double sum = 0;
      for (int i = 0; i < hits.length; i++) {
        sum += times.hitTokens()[i];
        hits[i] = sum / input;
      }
      double[] workingSet = new double[shape.sharedClock() ? times.residence().length : 0];
      for (int w = 0; w < workingSet.length; w++) {
        workingSet[w] = times.residence()[w].value() * shape.blockSize() / Math.max(1, end);
      }
      double[] choice = new double[BlockReuse.WORKERS.size()];
      double[] placed = new double[choice.length];
      for (int w = 0; w < choice.length; w++) {
        choice[w] = (double) sums.choices()[w] / requests;
        placed[w] = sums.placed()[w].value() / PlacementChance.ONE / input;
      }
      double across = (double) sums.tokens() / input;
      return new BlockReuse(hits, workingSet, new LongColumn(), across, choice, placed);
    }
  }

  /**
   * What was sent before, over requests.
   *
   * @param blocks leading ones, those that are not full included
   * @param tokens in them
   * @param prefixTokens the same, a prompt known to its end by its tokens
   * @param choices requests for which the worker matters, for each number of workers
   */
  private record Sums(
      long blocks, long tokens, long prefixTokens, long[] choices, ExactSum[] placed)
      implements Serializable {
    static Sums none() {
      ExactSum[] sums = new ExactSum[BlockReuse.WORKERS.size()];
      Arrays.setAll(sums, w -> new ExactSum());
      return new Sums(0, 0, 0, new long[sums.length], sums);
    }

    static Sums of(Known known, int blockSize) {
      Sums none = none();
      long full = known.full() * blockSize;
      long tokens = full + known.partialTokens();
      for (int w = 0; w < none.choices.length; w++) {
        long gain = tokens * PlacementChance.ONE - known.placed()[w];
        none.choices[w] = BlockReuse.matters(gain, known.input()) ? 1 : 0;
        none.placed[w].add(known.placed()[w]);
      }
      return new Sums(
          known.full() + known.partial(),
          tokens,
          known.partial() > 0 ? known.input() : full,
          none.choices,
          none.placed);
    }

    Sums and(Sums other) {
      Sums all = none();
      for (int w = 0; w < choices.length; w++) {
        all.choices[w] = choices[w] + other.choices[w];
        all.placed[w].add(placed[w]);
        all.placed[w].add(other.placed[w]);
      }
      return new Sums(
          blocks + other.blocks,
          tokens + other.tokens,
          prefixTokens + other.prefixTokens,
          all.choices,
          all.placed);
    }
  }
}
