package io.orrery.scenarios.experiment;

import io.orrery.models.Deployment;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.spec.SpeculationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What drafts on the workers of a pool: the layers that they hold, and the time that it takes. */
final class DraftMapping {
  private static final String SECTION = "engine.speculation.";
  private static final String MTP = "mtp";
  private static final int SHOWN_CONTEXT = 8192;
  private static final int SHOWN_BATCH = 64;

  private final EffectiveConfig config;
  private final SpeculationSpec spec;

  DraftMapping(EffectiveConfig config, SpeculationSpec spec) {
    this.config = config;
    this.spec = spec;
  }

  /**
   * Draft layers that a worker with that model holds: as written, else all that were published with
   * it for multi-token prediction, and one for a head of another kind.
   */
  int layers(ModelArchitecture model) {
    if (!spec.hasHead()) {
      return 0;
    }
    if (spec.draftLayers().isPresent()) {
      return spec.draftLayers().getAsInt();
    }
    if (!spec.method().equals(MTP)) {
      return 1;
    }
    if (model.draftLayers() == 0) {
      throw config.refusal(
          SECTION + "method",
          "a model with layers for multi-token prediction, but "
              + model
              + " was published with none; engine.speculation.draftLayers says how many it is to"
              + " have all the same");
    }
    return model.draftLayers();
  }

  /** Sequences' worth of state that every running one holds: one for each token of a decode. */
  int statesPerSequence() {
    return 1 + spec.acceptance().size();
  }

  /** Refuses to leave the time of drafting to step times that know nothing of it. */
  void requireTimed(StepTimeModel stepTime) {
    if (spec.hasHead() && spec.draftNanos().isEmpty() && stepTime.draftHead().isEmpty()) {
      throw config.refusal(
          SECTION + "draftTime",
          "a duration, since step times of model " + stepTime.name() + " know no draft layers");
    }
  }

  /** What a run assumes of drafting, a sentence each. */
  List<String> assumptions(String pool, Deployment worker, StepTimeModel stepTime) {
    List<String> assumptions = new ArrayList<>();
    if (worker.draftLayers() > 0) {
      assumptions.add(held(pool, worker));
    }
    if (spec.hasHead() && spec.draftNanos().isEmpty()) {
      assumptions.add(derived(pool, stepTime.draftHead().orElseThrow()));
    }
    if (spec.method().equals(SpeculationSpec.LOOK_UPS) && spec.draftNanos().isEmpty()) {
      assumptions.add(
          "Look-ups in the prompt draft in no time (engine.speculation.draftTime: auto).");
    }
    if (!spec.acceptance().isEmpty()) {
      assumptions.add(
          "Which drafted tokens are accepted follows from engine.speculation.acceptance alone; a"
              + " step that verifies several tokens is derived from kernels for one.");
    }
    return assumptions;
  }

  private String held(String pool, Deployment worker) {
    ModelArchitecture model = worker.model();
    int layers = worker.draftLayers();
    boolean published = spec.method().equals(MTP) && layers <= model.draftLayers();
    return String.format(
        Locale.ROOT,
        "Pool %s holds %d draft %s besides %s: %.2f GiB of weights on each GPU of the last stage, and"
            + " %,.0f bytes of KV a token%s.",
        pool,
        layers,
        layers == 1 ? "layer" : "layers",
        model,
        layers * worker.weightShare().draftLayerBytes() / (1L << 30),
        layers * worker.kvBytesPerTokenAndLayer(),
        published ? "" : "; that they have the shape of the model's own is assumed");
  }

  private static String derived(String pool, StepTimeModel head) {
    return String.format(
        Locale.ROOT,
        "Drafting a token in pool %s takes one draft layer and the output projection over the"
            + " sequences that draft (engine.speculation.draftTime: auto): %.0f us for one of %,d"
            + " tokens, %.0f us for %d of them. The draft layers' own pass over prompts, and the"
            + " host's work between drafts, are not charged.",
        pool,
        micros(head, 1),
        SHOWN_CONTEXT,
        micros(head, SHOWN_BATCH),
        SHOWN_BATCH);
  }

  private static double micros(StepTimeModel head, int sequences) {
    StepShape shape = new StepShape();
    for (int i = 0; i < sequences; i++) {
      shape.addDecode(SHOWN_CONTEXT);
    }
    return head.stepNanos(shape) / 1e3;
  }
}
