package io.orrery.reports.footprint;

import io.orrery.models.Gpu;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.models.StateSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What one should know to read a footprint, a sentence or two each. */
final class FootprintNotes {
  private static final double MEGABYTE = 1e6;

  private final FootprintQuery query;
  private final ModelArchitecture model;
  private final List<String> notes = new ArrayList<>();

  private FootprintNotes(FootprintQuery query) {
    this.query = query;
    this.model = query.model();
  }

  static List<String> of(FootprintQuery query, List<FootprintEntry> entries) {
    FootprintNotes notes = new FootprintNotes(query);
    notes.precisions();
    notes.attention();
    notes.states(entries);
    notes.notes.addAll(query.engine().notes());
    notes.notes.addAll(query.model().lowConfidenceNotes());
    query.gpus().forEach(gpu -> notes.notes.addAll(ofMemory(gpu)));
    return notes.notes;
  }

  private static List<String> ofMemory(Gpu gpu) {
    return gpu.provenance().facts().entrySet().stream()
        .filter(fact -> fact.getKey().equals("memoryBytes") && fact.getValue().lowConfidence())
        .map(fact -> gpu + ": its memory is " + fact.getValue().note())
        .toList();
  }

  private void precisions() {
    boolean narrow =
        query.weights().contains(Precision.NVFP4) || query.weights().contains(Precision.MXFP4);
    String without = without(query.gpus());
    if (narrow && !without.isEmpty()) {
      notes.add(
          "4-bit weights on "
              + without
              + ": stored in 4 bits, computed in 16. The memory is gained, arithmetic is not: it"
              + " runs at the 16-bit peak, and widening the weights is charged on top.");
    }
    if (query.kv().contains(Precision.NVFP4)) {
      if (!query.engine().hasNvfp4Kv()) {
        notes.add("? " + query.engine() + " has no NVFP4 KV cache: what would fit if it had one.");
      } else if (!without.isEmpty()) {
        notes.add(
            "? No engine has an NVFP4 KV cache on "
                + without
                + " (no FP4 units): what would fit if one had.");
      }
    }
    if (query.weights().stream().anyMatch(weights -> weights != Precision.BF16)) {
      notes.add(
          "In quantised weights, embedding, output projection, routers and norms stay 16-bit"
              + (query.weights().contains(Precision.MXFP4)
                  ? "; with mxfp4, everything but the experts does."
                  : "."));
      model.checkpointNote().ifPresent(notes::add);
    }
  }

  static String without(List<Gpu> gpus) {
    return String.join(", ", gpus.stream().filter(gpu -> !gpu.hasFp4()).map(Gpu::name).toList());
  }

  private void attention() {
    if (model.latent() != null) {
      notes.add(
          "Latent attention: every GPU of a TP group holds the whole KV of "
              + model.latent().cachedElements()
              + " elements a token and layer; more TP does not make it smaller, attention data"
              + " parallelism (--attention-dp) does.");
    }
    if (model.slidingLayers() > 0) {
      notes.add(
          model.slidingLayers()
              + " of "
              + model.layers()
              + " layers look back "
              + model.slidingWindow()
              + " tokens. Sessions hold only those; tokens that are kept for reuse are counted in"
              + " every layer.");
    }
    if (query.draftLayers() > 0) {
      notes.add(
          layers(query.draftLayers())
              + " for multi-token prediction held besides, weights and KV.");
    } else if (model.draftLayers() > 0) {
      notes.add(
          "Published with "
              + layers(model.draftLayers())
              + " for multi-token prediction, not counted here (--mtp "
              + model.draftLayers()
              + ").");
    }
  }

  private void states(List<FootprintEntry> entries) {
    StateSpace states = model.states();
    if (states == null) {
      return;
    }
    Set<Integer> pages = new TreeSet<>();
    for (FootprintEntry entry : entries) {
      if (entry.memory() != null) {
        pages.add(entry.memory().deployment().stateBoundaryTokens());
      }
    }
    notes.add(
        String.format(
            Locale.ROOT,
            "%d of %d layers keep one state per sequence, %.1f MB in all, whatever its length."
                + " Prefixes are taken up again only at the ends of pages as large as a state: %s"
                + " tokens. %s",
            model.stateLayers(),
            model.layers(),
            model.stateBytesPerSequence() / MEGABYTE,
            String.join(", ", pages.stream().map(FootprintNotes::count).toList()),
            query.prefixCaching()
                ? "A snapshot at every page is counted (--no-prefix-caching leaves them out)."
                : "Snapshots are not counted, so nothing can be reused."));
  }

  private static String layers(int number) {
    return number == 1 ? "1 layer" : number + " layers";
  }

  private static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
