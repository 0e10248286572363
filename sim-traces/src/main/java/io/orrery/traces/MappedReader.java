package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tables and JSON lines of no known format, by a {@link ColumnMapping}. */
final class MappedReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "as asked for, where hashes are mapped; else none: hit rates are unknown",
          "as mapped",
          "a trailing partial block may be included and is never a hit",
          "the earliest time is 0",
          "rows with one session id by time, each after the completion of the one before it plus the"
              + " mapped wait, else the gap from its end, else as long after its start as recorded but"
              + " not before its completion");

  private final TraceAssembler assembler;
  private final TraceOptions options;
  private final ColumnMapping mapping;
  private final DraftedRequests requests;
  private final NamedPrompts prompts;
  private final RequestDraft draft = new RequestDraft();
  private final HashRuns hashes = new HashRuns();
  private boolean named;

  /** Columns that were there. */
  private final Set<String> seen = new HashSet<>();

  MappedReader(TraceAssembler assembler, TraceOptions options) {
    ColumnMapping given = options.columns();
    if (given == null) {
      throw new TraceException(
          null, 0, "trace format", "mapped without a column mapping", "a column mapping");
    }
    this.assembler = assembler;
    this.options = options;
    mapping = given;
    requests = new DraftedRequests(assembler);
    prompts = new NamedPrompts(assembler, given.column(ColumnMapping.Target.HASHES));
    if (options.blockSize() > 0 || !given.has(ColumnMapping.Target.HASHES)) {
      assembler.blockSize(options.blockSize() > 0 ? options.blockSize() : GrownPrompts.BLOCK_SIZE);
    }
    assembler.note("Columns are read as mapped: " + given + ".");
  }

  @Override
  public void read(JsonRows rows) {
    rows.acceptTextNumbers();
    while (rows.nextRow()) {
      if (rows.isTable()) {
        checkColumns(rows);
      }
      draft.clear();
      hashes.clear();
      named = false;
      readFields(rows, "");
      add(rows);
    }
  }

  private void checkColumns(JsonRows rows) {
    List<String> columns = rows.columns();
    for (String column : mapping.columns()) {
      if (!columns.contains(column)) {
        throw rows.wrong(
            1,
            column,
            "a table with the columns " + String.join(", ", columns),
            "a column of this name, as mapped");
      }
    }
    seen.addAll(columns);
  }

  /** Keys of nested objects are called by their paths, as {@code usage.prompt_tokens}. */
  private void readFields(JsonRows rows, String path) {
    for (String key; (key = rows.nextField()) != null; ) {
      String field = path + key;
      List<ColumnMapping.Meaning> meanings = mapping.meanings(field);
      if (!meanings.isEmpty()) {
        seen.add(field);
        readValue(rows, field, meanings.get(0));
      } else if (mapping.hasColumnsIn(field)) {
        if (rows.beginValue() == JsonToken.START_OBJECT) {
          readFields(rows, field + ".");
        } else {
          rows.skipElement();
        }
      } else {
        rows.skip();
      }
    }
  }

  private void add(JsonRows rows) {
    String input = mapping.column(ColumnMapping.Target.INPUT);
    if (named) {
      prompts.blockSize(rows, "block size", options.blockSize(), 0);
      DraftedRequests.require(rows, draft.input != RequestDraft.NONE, input);
      prompts.check(rows, draft.input, hashes.size());
    }
    if (draft.end != Trace.NO_TIME && draft.end < draft.arrival) {
      assembler.count("ends before their starts, left out");
    }
    draft.totalUntilEnd();
    int r =
        requests.add(
            rows,
            draft,
            input,
            mapping.column(ColumnMapping.Target.OUTPUT),
            mapping.column(ColumnMapping.Target.TIMESTAMP));
    if (named) {
      prompts.add(r, hashes, draft.adapter);
    }
  }

  private void readValue(JsonRows rows, String field, ColumnMapping.Meaning meaning) {
    switch (meaning.target()) {
      case TIMESTAMP -> draft.arrival = time(rows, field, meaning);
      case END -> draft.end = time(rows, field, meaning);
      case TTFT -> draft.ttft = time(rows, field, meaning);
      case TOTAL -> draft.total = time(rows, field, meaning);
      case WAIT -> draft.wait = time(rows, field, meaning);
      case INPUT -> draft.input = DraftedRequests.input(rows, field);
      case OUTPUT -> draft.output = DraftedRequests.output(rows, field);
      case CACHED ->
          draft.cached = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
      case PRIORITY ->
          draft.priority = (int) rows.wholeOr(field, Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      case HASHES ->
          named = rows.isTable() ? rows.hashesInText(field, hashes) : rows.hashes(field, hashes);
      default -> readText(rows, field, meaning.target());
    }
  }

  private void readText(JsonRows rows, String field, ColumnMapping.Target target) {
    @Nullable String text =
        switch (target) {
          case SESSION, PARENT, REQUEST -> rows.idOrNull(field);
          default -> rows.scalarOrNull(field);
        };
    switch (target) {
      case SESSION -> draft.session = text;
      case PARENT -> draft.parent = text;
      case REQUEST -> draft.request = text;
      case MODEL -> draft.model = text;
      case ADAPTER -> draft.adapter = text;
      case WORKER -> draft.worker = text;
      case FINISH -> draft.finishReason = text;
      default -> draft.tools.add(text);
    }
  }

  private static long time(JsonRows rows, String field, ColumnMapping.Meaning meaning) {
    return meaning.nanosPerUnit() == 0
        ? rows.instantOrNone(field, 1_000_000_000, "s")
        : rows.nanosOrNone(field, meaning.nanosPerUnit(), meaning.unit());
  }

  @Override
  public void finish() {
    for (String column : mapping.columns()) {
      if (!seen.contains(column)) {
        throw new TraceException(
            null, 0, "column mapping", "no row with " + column, "each mapped name in some row");
      }
    }
    if (assembler.blockSize() == 0) {
      assembler.blockSize(GrownPrompts.BLOCK_SIZE);
    }
    requests.finish();
  }
}
