package io.orrery.models;

import java.util.ArrayList;
import java.util.List;

/** What the user should know about a choice of worker: assumed facts, and what kernels lack. */
final class DeploymentNotes {
  private final Deployment worker;

  private DeploymentNotes(Deployment worker) {
    this.worker = worker;
  }

  /** The notes in a fixed order; often empty. */
  static List<String> of(Deployment worker) {
    return new DeploymentNotes(worker).list();
  }

  private List<String> list() {
    ModelArchitecture model = worker.model();
    Gpu gpu = worker.gpu();
    List<String> notes = new ArrayList<>(gpu.provenance().lowConfidenceNotes(this::restsOn));
    notes.addAll(model.lowConfidenceNotes());
    if (worker.weights() == Precision.NVFP4 && !gpu.hasFp4()) {
      notes.add("nvfp4 weights on " + gpu + " are stored in 4 bits and computed in 16");
    }
    if (worker.weights() == Precision.MXFP4 && !gpu.hasFp4()) {
      notes.add("mxfp4 experts on " + gpu + " are stored in 4 bits and computed in 16");
    }
    if (worker.kv() == Precision.NVFP4 && !gpu.hasFp4()) {
      notes.add("an nvfp4 KV cache on " + gpu + " is an assumption: no kernel for it is known");
    }
    if (model.slidingLayers() > 0) {
      notes.add(
          model.slidingLayers()
              + " of "
              + model.layers()
              + " layers of "
              + model
              + " read "
              + model.slidingWindow()
              + " tokens only; their KV is counted for every token");
    }
    return List.copyOf(notes);
  }

  /** Whether results depend on a field of the GPU; what tiers and prices need is said by them. */
  private boolean restsOn(String field) {
    Precision weights = worker.weights();
    return switch (field) {
      case "fp8FlopsPerSecond" -> weights == Precision.FP8 || weights == Precision.MXFP4;
      case "fp4FlopsPerSecond" -> weights == Precision.NVFP4;
      case "nvlinkBytesPerSecond", "nvlinkDomainGpus" -> worker.gpus() > 1;
      case "nicBytesPerSecond" -> worker.gpus() > worker.gpu().nvlinkDomainGpus();
      case "memoryBytes", "hbmBytesPerSecond", "bf16FlopsPerSecond" -> true;
      default -> false;
    };
  }
}
