package io.orrery.traces;

import static io.orrery.traces.OrreryColumns.*;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.parquet.IntLists;
import io.orrery.parquet.LongLists;
import io.orrery.parquet.ParquetException;
import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@linkplain OrreryColumns Orrery's own format}. */
final class OrreryTraceReader {
  static final TraceReader.Description DESCRIPTION =
      new TraceReader.Description(
          "in the file",
          "ns",
          "as in the trace that was converted",
          "as in the trace that was converted",
          "as in the trace that was converted");

  private static final int BUFFER = 1 << 18;

  private final String name;
  private final Path path;

  private OrreryTraceReader(String name, Path path) {
    this.name = name;
    this.path = path;
  }

  /** Reads the one file of a trace. */
  static Trace read(List<TraceFile> files) {
    TraceFile file = files.get(0);
    if (files.size() > 1) {
      throw new TraceException(
          files.get(1).name(),
          0,
          "trace files",
          "a second file of Orrery's own format",
          "one: merge them first");
    }
    Path path = file.path();
    if (path == null) {
      throw new TraceException(
          file.name(), 0, null, "a Parquet file in an archive", "the file itself");
    }
    return new OrreryTraceReader(file.name(), path).read();
  }

  private Trace read() {
    try (ParquetReader parquet = ParquetReader.open(path)) {
      TraceProvenance provenance = provenance(parquet.metadata());
      TraceColumns columns =
          new TraceColumns(
              provenance.blockSize(),
              number(parquet.metadata(), BLOCK_COUNT_KEY, 0, Integer.MAX_VALUE),
              flag(parquet.metadata(), SHARED_CLOCK_KEY),
              provenance);
      columns.blocksKnown = flag(parquet.metadata(), BLOCKS_KNOWN_KEY);
      fill(columns, parquet.read());
      new TraceChecks(name, columns).check();
      return new Trace(columns);
    } catch (ParquetException e) {
      throw new TraceException(name, 0, e.column(), e.found(), e.expected());
    }
  }

  private TraceProvenance provenance(Map<String, String> metadata) {
    String version = metadata.get(VERSION_KEY);
    if (version == null) {
      throw wrong(VERSION_KEY, "nothing", "a trace in Orrery's own format");
    }
    if (!version.equals(Integer.toString(VERSION))) {
      throw wrong(VERSION_KEY, version, VERSION + ": it was written by another version of Orrery");
    }
    int blockSize = (int) number(metadata, BLOCK_SIZE_KEY, 1, TraceAssembler.MAX_TOKENS);
    TraceProvenance source;
    try {
      source = ProvenanceJson.read(metadata.getOrDefault(PROVENANCE_KEY, "{}"), blockSize);
    } catch (IOException e) {
      throw wrong(PROVENANCE_KEY, "text that is not JSON", "what Orrery writes");
    }
    List<String> notes = new ArrayList<>(source.notes());
    notes.add(converted(source));
    return new TraceProvenance(
        TraceFormat.ORRERY.formatName(),
        List.of(sourceFile()),
        blockSize,
        source.timeUnit(),
        source.partialBlockRule(),
        source.timeBasis(),
        source.turnSemantics(),
        new LinkedHashMap<>(source.counters()),
        notes);
  }

  private static String converted(TraceProvenance source) {
    StringBuilder text = new StringBuilder("Converted from ").append(source.format());
    for (TraceProvenance.SourceFile file : source.files()) {
      text.append(", ").append(file.name()).append(" (SHA-256 ").append(file.sha256()).append(')');
    }
    return text.append('.').toString();
  }

  private TraceProvenance.SourceFile sourceFile() {
    MessageDigest digest = TraceFile.sha256();
    byte[] buffer = new byte[BUFFER];
    try (var in = Files.newInputStream(path)) {
      for (int count; (count = in.read(buffer)) > 0; ) {
        digest.update(buffer, 0, count);
      }
    } catch (IOException e) {
      throw TraceSources.unreadable(name, e);
    }
    return new TraceFile(path).provenance(digest);
  }

  private void fill(TraceColumns c, ParquetTable table) {
    int n = table.rowCount();
    c.session = table.ints(SESSION);
    c.arrival = table.longs(ARRIVAL, Trace.NO_TIME);
    c.input = table.ints(INPUT);
    c.output = table.ints(OUTPUT);
    c.priority = unlessAll(table.ints(PRIORITY), 0);
    c.identified = table.ints(IDENTIFIED);
    c.partial = unlessAll(table.ints(PARTIAL, -1), -1);
    c.ttft = unlessAll(table.longs(TTFT, Trace.NO_TIME));
    c.total = unlessAll(table.longs(TOTAL, Trace.NO_TIME));
    c.cached = unlessAll(table.ints(CACHED, -1), -1);
    c.model = labels(table, MODEL, n);
    c.adapter = labels(table, ADAPTER, n);
    c.worker = labels(table, WORKER, n);
    c.finishReason = labels(table, FINISH, n);
    c.tools = labels(table, TOOLS, n);
    @Nullable String[] ids = table.nullableStrings(REQUEST_ID);
    c.requestText = texts(ids, c.requestIds);
    fillRuns(c, table);
    fillEdges(c, table);
    fillSessions(c, table);
  }

  private void fillRuns(TraceColumns c, ParquetTable table) {
    IntLists first = table.intLists(RUN_FIRST);
    IntLists length = table.intLists(RUN_LENGTH);
    sameShape(RUN_LENGTH, first.offsets(), length.offsets());
    c.runStart = first.offsets();
    c.runFirst = first.values();
    c.runLength = length.values();
    int[] promptRuns = table.ints(PROMPT_RUNS);
    c.promptRunEnd = new int[promptRuns.length];
    for (int r = 0; r < promptRuns.length; r++) {
      if (promptRuns[r] < 0 || promptRuns[r] > first.length(r)) {
        throw wrongRow(PROMPT_RUNS, r, promptRuns[r], "0 to " + first.length(r));
      }
      c.promptRunEnd[r] = c.runStart[r] + promptRuns[r];
    }
    c.named = new int[promptRuns.length];
    for (int r = 0; r < promptRuns.length; r++) {
      long named = 0;
      for (int run = c.runStart[r]; run < c.runStart[r + 1]; run++) {
        named += c.runLength[run];
      }
      c.named[r] = (int) Math.min(Integer.MAX_VALUE, named);
    }
  }

  private void fillEdges(TraceColumns c, ParquetTable table) {
    IntLists from = table.intLists(WAIT_FOR);
    IntLists trigger = table.intLists(WAIT_TRIGGER);
    LongLists delay = table.longLists(WAIT_NANOS);
    sameShape(WAIT_TRIGGER, from.offsets(), trigger.offsets());
    sameShape(WAIT_NANOS, from.offsets(), delay.offsets());
    c.edgeStart = from.offsets();
    c.edgeFrom = from.values();
    c.edgeDelay = delay.values().clone();
    for (int e = 0; e < c.edgeDelay.length; e++) {
      int kind = trigger.values()[e];
      if ((kind != 0 && kind != 1) || c.edgeDelay[e] < 0) {
        throw wrong(
            kind == 0 || kind == 1 ? WAIT_NANOS : WAIT_TRIGGER,
            Long.toString(kind == 0 || kind == 1 ? c.edgeDelay[e] : kind),
            "a wait of at least 0 ns after a completion (0) or a dispatch (1)");
      }
      c.edgeDelay[e] = kind == 1 ? ~c.edgeDelay[e] : c.edgeDelay[e];
    }
  }

  private void fillSessions(TraceColumns c, ParquetTable table) {
    int n = c.session.length;
    int sessions = 0;
    for (int r = 0; r < n; r++) {
      if (c.session[r] < 0 || c.session[r] > sessions) {
        throw wrongRow(SESSION, r, c.session[r], "0 to " + sessions + ", in order of first rows");
      }
      sessions = Math.max(sessions, c.session[r] + 1);
    }
    @Nullable String[] ids = table.nullableStrings(SESSION_ID);
    int[] parents = table.ints(PARENT, -1);
    @Nullable String[] sessionIds = new String[sessions];
    c.parent = new int[sessions];
    c.turn = new int[n];
    c.sessionStart = new int[sessions + 1];
    for (int r = 0; r < n; r++) {
      int s = c.session[r];
      c.turn[r] = c.sessionStart[s + 1]++;
      if (c.turn[r] == 0) {
        sessionIds[s] = ids[r];
        c.parent[s] = parents[r];
      }
    }
    for (int s = 0; s < sessions; s++) {
      c.sessionStart[s + 1] += c.sessionStart[s];
    }
    c.sessionRequests = new int[n];
    for (int r = 0; r < n; r++) {
      c.sessionRequests[c.sessionStart[c.session[r]] + c.turn[r]] = r;
    }
    c.sessionText = texts(sessionIds, c.sessionIds);
    c.root = roots(c.parent);
  }

  private int[] roots(int[] parents) {
    int[] roots = new int[parents.length];
    Arrays.fill(roots, -1);
    for (int s = 0; s < parents.length; s++) {
      int top = s;
      for (int steps = 0; roots[top] < 0 && parents[top] >= 0; steps++) {
        if (parents[top] >= parents.length || steps > parents.length) {
          throw wrong(PARENT, Integer.toString(parents[top]), "a session, without a cycle");
        }
        top = parents[top];
      }
      int root = roots[top] < 0 ? top : roots[top];
      for (int member = s; member != top; member = parents[member]) {
        roots[member] = root;
      }
      roots[top] = root;
    }
    return roots;
  }

  private static LabelColumn.Labels labels(ParquetTable table, String column, int n) {
    if (table.schema().find(column) == null) {
      return LabelColumn.Labels.NONE;
    }
    @Nullable String[] texts = table.nullableStrings(column);
    TextIndex index = new TextIndex();
    int[] numbers = new int[n];
    boolean any = false;
    String last = null;
    int number = -1;
    for (int r = 0; r < n; r++) {
      String text = texts[r];
      if (text != null && !text.equals(last)) {
        number = index.add(text);
        last = text;
      }
      numbers[r] = text == null ? -1 : number;
      any |= text != null;
    }
    return any ? new LabelColumn.Labels(numbers, index.column()) : LabelColumn.Labels.NONE;
  }

  private static int @Nullable [] texts(@Nullable String[] texts, TextColumn into) {
    int[] numbers = new int[texts.length];
    boolean any = false;
    for (int i = 0; i < texts.length; i++) {
      String text = texts[i];
      numbers[i] = text == null ? -1 : into.size();
      if (text != null) {
        into.add(text.getBytes(UTF_8));
        any = true;
      }
    }
    return any ? numbers : null;
  }

  private static int @Nullable [] unlessAll(int[] values, int missing) {
    for (int value : values) {
      if (value != missing) {
        return values;
      }
    }
    return null;
  }

  private static long @Nullable [] unlessAll(long[] values) {
    for (long value : values) {
      if (value != Trace.NO_TIME) {
        return values;
      }
    }
    return null;
  }

  private void sameShape(String column, int[] offsets, int[] others) {
    if (!Arrays.equals(offsets, others)) {
      throw wrong(column, "lists of other lengths", "lists as long as those beside them");
    }
  }

  private long number(Map<String, String> metadata, String key, long least, long most) {
    String text = metadata.getOrDefault(key, "nothing");
    if (NumberText.isNumber(text)) {
      long value = NumberText.whole(text);
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw wrong(key, text, "a whole number from " + least + " to " + most);
  }

  private boolean flag(Map<String, String> metadata, String key) {
    String text = metadata.getOrDefault(key, "nothing");
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(key, text, "true or false");
    }
    return text.equals("true");
  }

  private TraceException wrong(String field, String value, String expected) {
    return new TraceException(name, 0, field, value, expected);
  }

  private TraceException wrongRow(String column, int row, long value, String expected) {
    return wrong(column, value + " in row " + row, expected);
  }
}
