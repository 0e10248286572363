package io.orrery.models;

import java.util.Locale;

/** What the user is told of a worker that does not fit: what is missing, and what would fit. */
final class MemoryShortage {
  /** Largest pipeline that is tried. */
  private static final int MOST_STAGES = 16;

  private static final double GIB = 1L << 30;

  private final MemoryFootprint footprint;
  private final Deployment worker;

  MemoryShortage(MemoryFootprint footprint) {
    this.footprint = footprint;
    this.worker = footprint.deployment();
  }

  /** In one sentence, in GiB of the fullest GPU. */
  String message() {
    return String.format(
        Locale.ROOT,
        "%s does not fit: %.2f GiB missing per GPU (weights %.2f + activations %.2f + reserve %.2f"
            + " GiB, of %.2f GiB %s takes %s); %s",
        worker,
        footprint.missingBytes() / GIB,
        footprint.largestWeightBytes() / GIB,
        footprint.activationBytes() / GIB,
        footprint.reserveBytes() / GIB,
        worker.gpu().memoryBytes() / GIB,
        footprint.engine().shareOf().option(),
        footprint.share(),
        whatFits());
  }

  /** As {@code fits with tensorParallel 4}: more slices first, then more stages of the most. */
  String whatFits() {
    int domain = worker.gpu().nvlinkDomainGpus();
    int largest = worker.tensorParallel();
    for (int slices = largest + 1; slices <= domain; slices++) {
      if (worker.divides(slices)) {
        largest = slices;
        if (footprint.with(slices, worker.pipelineParallel()).fits()) {
          return "fits with tensorParallel " + slices;
        }
      }
    }
    int most = Math.min(worker.model().layers(), MOST_STAGES);
    for (int depth = worker.pipelineParallel() + 1; depth <= most; depth++) {
      if (footprint.with(largest, depth).fits()) {
        return "fits with tensorParallel " + largest + ", pipelineParallel " + depth;
      }
    }
    return "no tensorParallel up to " + domain + " fits";
  }
}
