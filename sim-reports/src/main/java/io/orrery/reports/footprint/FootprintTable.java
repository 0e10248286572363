package io.orrery.reports.footprint;

import io.orrery.models.EngineMemory;
import io.orrery.models.Gpu;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.Paragraph;
import io.orrery.reports.console.TextTable;
import io.orrery.traces.PrintableText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A footprint for people, at most 100 columns wide. Parts of a bar are letters; colour only repeats
 * them.
 */
public final class FootprintTable {
  private static final int WIDTH = 100;
  private static final int BAR = 28;
  private static final int CELL = 14;
  private static final double BILLION = 1e9;
  private static final double GIB = 1L << 30;
  private static final String BOLD = "\u001b[1m";
  private static final String RESET = "\u001b[0m";
  private static final Map<Character, String> COLOURS =
      Map.of('W', "\u001b[34m", 'a', "\u001b[33m", 'r', "\u001b[35m", 'K', "\u001b[32m");

  private final FootprintQuery query;
  private final List<FootprintEntry> entries;
  private final boolean colour;
  private final StringBuilder out = new StringBuilder();

  private FootprintTable(FootprintQuery query, List<FootprintEntry> entries, boolean colour) {
    this.query = query;
    this.entries = entries;
    this.colour = colour;
  }

  /**
   * The lines, each ending with {@code \n}.
   *
   * @throws IllegalArgumentException if none of the workers can be built
   */
  public static String of(FootprintQuery query, List<FootprintEntry> entries, boolean colour) {
    if (entries.stream().allMatch(entry -> entry.memory() == null)) {
      throw new IllegalArgumentException("no worker to show");
    }
    FootprintTable table = new FootprintTable(query, entries, colour);
    table.head();
    query.gpus().forEach(table::gpu);
    table.onEachGpu();
    for (String note : FootprintNotes.of(query, entries)) {
      table.paragraph(note);
    }
    return table.out.toString();
  }

  private void paragraph(String text) {
    out.append(Paragraph.wrapped(text, WIDTH)).append('\n');
  }

  private void head() {
    ModelArchitecture model = query.model();
    EngineMemory engine = query.engine();
    String parallel =
        (query.pipelineParallel() > 1 ? ", PP " + query.pipelineParallel() : "")
            + (query.expertParallel() > 1 ? ", EP " + query.expertParallel() : "")
            + (query.attentionDataParallel() > 1
                ? ", attention DP " + query.attentionDataParallel()
                : "");
    paragraph(
        String.format(
            Locale.ROOT,
            "%s: %.2f billion parameters, %.2f active, published in %s. %s, %s %s, %,d batched"
                + " tokens, %,d sequences%s. Sessions of %,d tokens.",
            model,
            model.parameters().total() / BILLION,
            model.parameters().active() / BILLION,
            model.nativeWeights(),
            engine,
            engine.shareOf().option(),
            share(),
            query.maxBatchedTokens(),
            query.maxSequences(),
            parallel,
            query.context()));
    paragraph(
        "One GPU: W weights, a activations, r reserve, K KV cache, . unused. Under each KV precision:"
            + " tokens that fit, and sessions.");
  }

  /** The share in force: given, or the engine's, which may differ from GPU to GPU. */
  private String share() {
    List<String> shares =
        entries.stream()
            .map(FootprintEntry::memory)
            .filter(memory -> memory != null)
            .map(memory -> Double.toString(memory.share()))
            .distinct()
            .sorted()
            .toList();
    return shares.size() == 1
        ? shares.get(0)
        : shares.get(0) + " to " + shares.get(shares.size() - 1);
  }

  private void gpu(Gpu gpu) {
    String title =
        PrintableText.of(
            String.format(
                Locale.ROOT, "%s: %s, %.1f GiB", gpu, gpu.title(), gpu.memoryBytes() / GIB));
    out.append('\n').append(colour ? BOLD + title + RESET : title).append('\n');
    StringBuilder header =
        new StringBuilder(
            String.format("TP weights %-" + (BAR + 2) + "s %7s %7s", "", "W GiB", "K GiB"));
    for (Precision kv : query.kv()) {
      header.append(String.format("%" + CELL + "s", kv + " KV" + doubt(gpu, kv)));
    }
    out.append(header).append('\n');
    rows(gpu).forEach((key, row) -> out.append(row(row)).append('\n'));
  }

  private String doubt(Gpu gpu, Precision kv) {
    boolean known = gpu.hasFp4() && query.engine().hasNvfp4Kv();
    return kv == Precision.NVFP4 && !known ? " ?" : "";
  }

  /** Entries that differ in the precision of KV only. */
  private Map<String, List<FootprintEntry>> rows(Gpu gpu) {
    Map<String, List<FootprintEntry>> rows = new LinkedHashMap<>();
    for (FootprintEntry entry : entries) {
      if (entry.gpu().equals(gpu)) {
        String key = entry.tensorParallel() + " " + entry.weights();
        rows.computeIfAbsent(key, k -> new ArrayList<>()).add(entry);
      }
    }
    return rows;
  }

  private String row(List<FootprintEntry> row) {
    FootprintEntry first = row.get(0);
    String start = String.format(Locale.ROOT, "%2d %-7s ", first.tensorParallel(), first.weights());
    MemoryFootprint memory = first.memory();
    if (memory == null) {
      return hanging(start + "- ", first.obstacle());
    }
    MemoryFootprint.Stage stage = memory.tightestStage();
    if (row.stream().noneMatch(FootprintEntry::fits)) {
      return clipped(
          String.format(
              Locale.ROOT,
              "%s%s %7.1f  %.2f GiB missing, %s",
              start,
              overfull(),
              stage.weightBytes() / GIB,
              memory.missingBytes() / GIB,
              memory.whatFits().replace("tensorParallel", "TP").replace("pipelineParallel", "PP")));
    }
    StringBuilder line = new StringBuilder(start);
    line.append(bar(memory, stage));
    line.append(
        String.format(
            Locale.ROOT, " %7.1f %7.1f", stage.weightBytes() / GIB, stage.kvBytes() / GIB));
    for (FootprintEntry entry : row) {
      line.append(String.format("%" + CELL + "s", cell(entry)));
    }
    return line.toString();
  }

  /** A text in lines that begin where it begins. */
  private static String hanging(String start, String text) {
    String margin = " ".repeat(start.length());
    return start + Paragraph.wrapped(text, WIDTH - start.length()).replace("\n", "\n" + margin);
  }

  private static String clipped(String line) {
    return line.length() > WIDTH ? line.substring(0, WIDTH - 3) + "..." : line;
  }

  private String cell(FootprintEntry entry) {
    if (!entry.fits()) {
      return "-";
    }
    return HumanUnits.amount(entry.tokens(query.prefixCaching()))
        + " "
        + String.format(
            Locale.ROOT, "%5s", short5(entry.sessions(query.context(), query.prefixCaching())));
  }

  private static String short5(long sessions) {
    return sessions < 100_000
        ? Long.toString(sessions)
        : HumanUnits.amount(sessions).replace(" ", "");
  }

  private static String overfull() {
    return "[" + "W".repeat(BAR) + ">";
  }

  /** A GPU's memory in cells; parts are rounded so that they add up to all of them. */
  private String bar(MemoryFootprint memory, MemoryFootprint.Stage stage) {
    long total = memory.deployment().gpu().memoryBytes();
    long[] parts = {
      stage.weightBytes(), memory.activationBytes(), memory.reserveBytes(), stage.kvBytes()
    };
    char[] letters = {'W', 'a', 'r', 'K'};
    StringBuilder bar = new StringBuilder("[");
    long seen = 0;
    int drawn = 0;
    for (int i = 0; i < parts.length; i++) {
      seen += parts[i];
      int end = (int) Math.round((double) BAR * seen / total);
      String cells = String.valueOf(letters[i]).repeat(Math.max(0, end - drawn));
      bar.append(colour && !cells.isEmpty() ? COLOURS.get(letters[i]) + cells + RESET : cells);
      drawn = Math.max(drawn, end);
    }
    return bar.append(".".repeat(BAR - drawn)).append(']').toString();
  }

  /** What does not depend on the GPU, by tensor parallelism. */
  private void onEachGpu() {
    List<String> header = new ArrayList<>(List.of("on each GPU"));
    query.tensorParallel().forEach(tp -> header.add("TP " + tp));
    TextTable table = new TextTable(header.toArray(String[]::new));
    for (Precision kv : query.kv()) {
      table.add(cells("bytes of a token's " + kv + " KV", kv, FootprintTable::bytesPerToken));
    }
    Precision any = query.kv().get(0);
    table.add(cells("GiB of activations", any, memory -> gib(memory.activationBytes())));
    table.add(cells("GiB of reserve", any, memory -> gib(memory.reserveBytes())));
    out.append('\n').append(table).append('\n');
  }

  private String[] cells(String label, Precision kv, Function<MemoryFootprint, String> cell) {
    List<String> cells = new ArrayList<>(List.of(label));
    for (int tp : query.tensorParallel()) {
      cells.add(
          entries.stream()
              .filter(entry -> entry.kv() == kv && entry.tensorParallel() == tp)
              .map(FootprintEntry::memory)
              .filter(memory -> memory != null)
              .findFirst()
              .map(cell)
              .orElse("-"));
    }
    return cells.toArray(String[]::new);
  }

  private static String gib(long bytes) {
    return String.format(Locale.ROOT, "%.2f", bytes / GIB);
  }

  /** Of the stage that decides. */
  private static String bytesPerToken(MemoryFootprint memory) {
    double bytes = memory.tightestStage().kvBytesPerToken();
    return bytes == Math.rint(bytes)
        ? String.format(Locale.ROOT, "%,d", (long) bytes)
        : String.format(Locale.ROOT, "%,.1f", bytes);
  }
}
