package io.orrery.traces;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads files into a trace. Where bad records are left out, each is parsed by itself: a record that
 * is refused before it has left anything in the trace is passed over, and any other one is noted
 * and all is read again without it, so that what remains is exactly the trace without these
 * records.
 */
final class TraceLoading {
  /** More attempts than this mean that the trace makes no sense as a whole. */
  private static final int MOST_ATTEMPTS = 200;

  private final List<Path> paths;
  private final TraceOptions options;
  private final Shards.Sizes sizes;

  /** Requests after which reading may end. */
  private final int enough;

  private final @Nullable BadRecords bad;

  /** First lines of records that are bad, by file; there may be as many as there are records. */
  private final Map<String, BitSet> leftOut = new HashMap<>();

  private long leftOutCount;

  /** Those whose text has not been handed over, since it was gone when they were found. */
  private final Map<String, TraceException> owed = new HashMap<>();

  private final TraceFindings errors = new TraceFindings();

  /** What goes wrong before that concerns no record. */
  private boolean formatKnown;

  /** Whether a file or a table's header is at fault, and no record. */
  private boolean unreadable;

  /** Whether the reading has ended before the files. */
  private boolean stopped;

  /**
   * What files hold, checked as a whole.
   *
   * @param trace makes a trace of it
   */
  private record Contents(
      String format, int requests, int sessions, TraceFindings findings, Supplier<Trace> trace) {}

  private TraceLoading(List<Path> paths, TraceOptions options, Shards.Sizes sizes, int enough) {
    this.paths = paths;
    this.options = options;
    this.sizes = sizes;
    this.enough = enough;
    bad = options.badRecords();
  }

  private static TraceLoading all(List<Path> paths, TraceOptions options) {
    return new TraceLoading(paths, options, Shards.Sizes.ofHeap(), Integer.MAX_VALUE);
  }

  static TraceReading read(List<Path> paths, TraceOptions options) {
    return read(paths, options, Shards.Sizes.ofHeap());
  }

  /** As {@link #read(List, TraceOptions)}, with so much text in memory at a time. */
  static TraceReading read(List<Path> paths, TraceOptions options, Shards.Sizes sizes) {
    Contents contents = new TraceLoading(paths, options, sizes, Integer.MAX_VALUE).read();
    return new TraceReading(contents.trace().get(), contents.findings());
  }

  /** What there is to be said about files whose bad records are left out. */
  static TraceCheck check(List<Path> paths, TraceOptions options) {
    TraceLoading loading = all(paths, options);
    try {
      Contents contents = loading.read();
      return new TraceCheck(
          new TraceCheck.Contents(contents.format(), contents.requests(), contents.sessions()),
          contents.findings());
    } catch (TraceException e) {
      loading.errors.error(TraceFinding.of(e));
      return new TraceCheck(null, loading.errors);
    }
  }

  /** A trace of the first requests, or of all where one of them needs what comes later. */
  static TraceHead head(List<Path> paths, TraceOptions options, int requests) {
    TraceLoading loading =
        new TraceLoading(paths, options, Shards.Sizes.ofHeap(), Math.max(1, requests));
    try {
      return new TraceHead(loading.read().trace().get(), !loading.stopped);
    } catch (TraceException e) {
      if (!loading.stopped) {
        throw e;
      }
      return new TraceHead(read(paths, options).trace(), true);
    }
  }

  private Contents read() {
    for (int attempt = 1; ; attempt++) {
      TraceAssembler assembler = new TraceAssembler();
      try {
        Contents contents = attempt(assembler);
        contents.findings().errorsOf(errors);
        return contents;
      } catch (AgainException again) {
        if (attempt == MOST_ATTEMPTS) {
          throw again.cause;
        }
      } catch (TraceException e) {
        String file = e.file();
        boolean aRecord = bad != null && formatKnown && !unreadable && file != null && e.line() > 0;
        if (!aRecord || attempt == MOST_ATTEMPTS || !isNews(file, e.line(), e)) {
          throw e;
        }
        owed.put(file + ":" + e.line(), e);
      }
    }
  }

  private Contents attempt(TraceAssembler assembler) {
    List<TraceFile> files = TraceSources.of(paths, assembler::countNote);
    Map<String, String> blisHeader = BlisHeader.take(files);
    TraceFormat wanted = options.format();
    TraceFormat format = wanted == null ? FormatDetection.common(files) : wanted;
    formatKnown = true;
    if (format == TraceFormat.ORRERY) {
      return own(OrreryTraceReader.of(files, options), assembler);
    }
    TraceReader reader = format.reader(assembler, options);
    if (reader instanceof BlisReader blis) {
      blis.header(blisHeader);
    }
    if (files.size() > 1 && assembler.isSharedClock()) {
      assembler.note(
          files.size()
              + " files are read as one trace: their times are on one clock, and a hash names the same block in all of"
              + " them.");
    }
    List<TraceProvenance.SourceFile> provenance = readAll(files, reader, assembler);
    reader.finish();
    assembler.findings().leftOut(leftOutCount);
    TraceAssembly whole = assembler.assembled(provenance(format, provenance));
    return new Contents(
        format.formatName(),
        assembler.requestCount(),
        assembler.sessions.count(),
        assembler.findings(),
        whole::trace);
  }

  private Contents own(OrreryTraceReader reader, TraceAssembler assembler) {
    Trace trace = reader.read(enough, assembler.findings());
    stopped = reader.hasMore();
    return new Contents(
        TraceFormat.ORRERY.formatName(),
        trace.requestCount(),
        trace.sessionCount(),
        assembler.findings(),
        () -> trace);
  }

  private List<TraceProvenance.SourceFile> readAll(
      List<TraceFile> files, TraceReader reader, TraceAssembler assembler) {
    List<TraceProvenance.SourceFile> provenance = new ArrayList<>();
    TextForm form =
        new TextForm(
            false, reader.foldsRuns() && bad == null, !reader.refusesRepeatedKeys(), bad != null);
    stopped = false;
    try (Shards shards = new Shards(files, form, options.threads(), sizes)) {
      for (TraceFile file : files) {
        stopped |= isEnough(reader, assembler);
        if (!stopped) {
          assembler.file(file.name());
          Shards.Shard shard = shards.next();
          readOne(shard, reader, assembler);
          provenance.add(stopped ? file.unread() : shard.provenance());
        }
      }
      return provenance;
    } catch (IOException e) {
      throw TraceSources.unreadable(files.get(0).name(), e);
    }
  }

  private boolean isEnough(TraceReader reader, TraceAssembler assembler) {
    return assembler.requestCount() + reader.held() >= enough;
  }

  private static TraceProvenance provenance(
      TraceFormat format, List<TraceProvenance.SourceFile> files) {
    TraceReader.Description is = format.description();
    return new TraceProvenance(
        format.formatName(),
        files,
        0,
        is.timeUnit(),
        is.partialBlockRule(),
        is.timeBasis(),
        is.turnSemantics(),
        Map.of(),
        List.of());
  }

  private void readOne(Shards.Shard shard, TraceReader reader, TraceAssembler assembler) {
    try (JsonRows rows = shard.rows()) {
      assembler.reading(rows);
      if (enough < Integer.MAX_VALUE) {
        rows.stopWhen(() -> isEnough(reader, assembler));
      }
      if (bad == null) {
        reader.read(rows);
      } else {
        readByRecord(rows, reader, assembler);
      }
      stopped = rows.isStopped();
      if (rows.rowLine() == 0) {
        throw nothingIn(rows);
      }
    } catch (IOException e) {
      throw TraceSources.unreadable(shard.file().name(), e);
    } finally {
      assembler.reading(null);
    }
  }

  private TraceException nothingIn(JsonRows rows) {
    String what = rows.isTable() ? "no row after the header" : "no JSON object";
    return rows.wrong(
        0, null, leftOutCount == 0 ? what : "no record that can be read", "at least one request");
  }

  private void readByRecord(JsonRows rows, TraceReader reader, TraceAssembler assembler) {
    long[] before = {assembler.size()};
    rows.listen(
        line -> {
          before[0] = assembler.size();
          TraceException why = owed.isEmpty() ? null : owed.remove(rows.file() + ":" + line);
          if (why != null) {
            handOver(rows.file(), line, rows.recordText(), why);
          }
          return leftOutCount == 0 || !linesLeftOut(rows.file()).get((int) line);
        });
    boolean more = true;
    while (more) {
      try {
        reader.read(rows);
        more = false;
      } catch (TraceException e) {
        if (rows.recordLine() == 0 || e.line() < rows.recordLine()) {
          unreadable = true;
          throw e;
        }
        leaveOut(rows.file(), rows.recordLine(), rows.recordText(), e);
        rows.leaveRecord();
        if (assembler.size() != before[0]) {
          throw new AgainException(e);
        }
      }
    }
  }

  private void leaveOut(String file, long line, String text, TraceException why) {
    if (isNews(file, line, why)) {
      handOver(file, line, text, why);
    }
  }

  /** Notes that a record is bad; false where that is known already. */
  private boolean isNews(@Nullable String file, long line, TraceException why) {
    BitSet lines = linesLeftOut(String.valueOf(file));
    if (lines.get((int) line)) {
      return false;
    }
    lines.set((int) line);
    leftOutCount++;
    errors.error(TraceFinding.of(why));
    return true;
  }

  private BitSet linesLeftOut(String file) {
    return leftOut.computeIfAbsent(file, name -> new BitSet());
  }

  private void handOver(String file, long line, String text, TraceException why) {
    BadRecords taker = bad;
    if (taker != null) {
      taker.take(file, line, text, why);
    }
  }

  /** A bad record has left something in the trace. */
  private static final class AgainException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient TraceException cause;

    AgainException(TraceException cause) {
      super(cause);
      this.cause = cause;
    }
  }
}
