package io.orrery.spark;

import io.orrery.reports.table.ResultTable;
import io.orrery.reports.traces.TraceSummary;
import io.orrery.reports.work.Work;
import io.orrery.reports.work.WorkEngine;
import io.orrery.reports.work.WorkFailedException;
import io.orrery.reports.work.WorkPlace;
import io.orrery.spark.stats.TraceSummaryJob;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.analysis.TraceAnalysis;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.Range$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Does work as Spark's tasks, a task for each piece. Results come back to the driver one by one, as
 * they are ready: Spark hands over the result of a piece once, however many attempts at it there
 * were.
 */
final class SparkEngine implements WorkEngine {
  /** Relative paths are relative to this folder of the driver's, on whatever machine. */
  static final String DIRECTORY = "orrery.directory";

  /** A job with more tasks than this would burden the driver. */
  private static final int MOST_TASKS = 10_000;

  private final SparkSession session;
  private final boolean owned;

  /**
   * @param owned whether the session ends with the engine
   * @param plugins files for the class path of tasks
   */
  SparkEngine(SparkSession session, boolean owned, List<Path> plugins) {
    this.session = session;
    this.owned = owned;
    plugins.forEach(jar -> session.sparkContext().addJar(jar.toAbsolutePath().toString()));
  }

  @Override
  public WorkPlace here() {
    return ProcessPlace.here();
  }

  @Override
  public int width() {
    return session.sparkContext().defaultParallelism();
  }

  @Override
  public <T extends Serializable> void run(int count, Work<T> work, Consumer<T> taker) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Taker<T> results = new Taker<>(taker, thrown);
    for (int from = 0; from < count; from += MOST_TASKS) {
      run(from, Math.min(count, from + MOST_TASKS), work, results);
      Throwable failure = thrown.get();
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      if (failure instanceof Error error) {
        throw error;
      }
    }
  }

  private <T extends Serializable> void run(int from, int to, Work<T> work, Taker<T> results) {
    SparkContext context = session.sparkContext();
    List<Integer> pieces = new ArrayList<>();
    for (int piece = from; piece < to; piece++) {
      pieces.add(piece);
    }
    String group = "orrery-" + UUID.randomUUID();
    context.setJobGroup(group, work.getClass().getSimpleName(), true);
    context.setLocalProperty(DIRECTORY, Path.of("").toAbsolutePath().toString());
    try {
      context.<Integer, T>runJob(
          JavaSparkContext.fromSparkContext(context).parallelize(pieces, pieces.size()).rdd(),
          new Task<>(work),
          indices(pieces.size()),
          results,
          ClassTag$.MODULE$.apply(Serializable.class));
    } catch (Exception e) {
      // Scala declares no exceptions; Spark's are of all kinds.
      context.cancelJobGroup(group);
      if (results.thrown.get() == null) {
        throw new WorkFailedException("Spark: " + reason(e), e);
      }
    } finally {
      context.clearJobGroup();
    }
  }

  @SuppressWarnings("unchecked")
  private static Seq<Object> indices(int count) {
    return (Seq<Object>) (Seq<?>) Range$.MODULE$.apply(0, count);
  }

  /** The first line of what went wrong; the rest is in Spark's own log. */
  private static String reason(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  @Override
  public void write(ResultTable table, String place) throws IOException {
    new TableFolder(session, table).write(place);
  }

  @Override
  public TraceSummary summarise(List<String> places, TraceOptions options) {
    return OwnFormat.of(places, options, session)
        .map(TraceSummaryJob::summary)
        .orElseGet(() -> TraceSummary.of(TraceAnalysis.of(here().traces().open(places, options))));
  }

  @Override
  public void close() {
    if (owned) {
      session.stop();
    }
  }

  /** A piece of work, in whatever process. */
  private static final class Task<T extends Serializable>
      extends AbstractFunction2<TaskContext, Iterator<Integer>, T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Work<T> work;

    Task(Work<T> work) {
      this.work = work;
    }

    @Override
    public T apply(TaskContext context, Iterator<Integer> piece) {
      return work.at(piece.next(), ProcessPlace.here());
    }
  }

  /** Takes results in the driver; Spark calls it for one at a time. */
  private static final class Taker<T> extends AbstractFunction2<Object, T, BoxedUnit> {
    private final Consumer<T> taker;
    private final AtomicReference<@Nullable Throwable> thrown;

    Taker(Consumer<T> taker, AtomicReference<@Nullable Throwable> thrown) {
      this.taker = taker;
      this.thrown = thrown;
    }

    @Override
    public BoxedUnit apply(Object index, T result) {
      if (thrown.get() == null) {
        try {
          taker.accept(result);
        } catch (RuntimeException | Error e) {
          thrown.set(e);
          throw e;
        }
      }
      return BoxedUnit.UNIT;
    }
  }
}
