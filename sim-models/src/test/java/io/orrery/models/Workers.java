package io.orrery.models;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Workers and pass shapes for tests that hold for all of them. */
final class Workers {
  private Workers() {}

  /** Every worker that the catalogue allows, up to TP 8 and PP 3. */
  static List<Deployment> all() {
    Catalog catalog = Catalog.bundled();
    List<Deployment> workers = new ArrayList<>();
    for (String model : catalog.modelNames()) {
      for (String gpu : catalog.gpuNames()) {
        for (Precision weights : Precision.values()) {
          for (Precision kv : new Precision[] {Precision.BF16, Precision.FP8, Precision.NVFP4}) {
            for (int tp = 1; tp <= 8; tp *= 2) {
              for (int pp = 1; pp <= 3; pp++) {
                ModelArchitecture architecture = catalog.model(model);
                if (weights != Precision.MXFP4 || architecture.nativeWeights() == Precision.MXFP4) {
                  workers.add(new Deployment(architecture, catalog.gpu(gpu), tp, pp, weights, kv));
                }
              }
            }
          }
        }
      }
    }
    return workers;
  }

  static Deployment random(SplittableRandom random) {
    List<Deployment> workers = all();
    return workers.get(random.nextInt(workers.size()));
  }

  /** A pass with up to 4 chunks and up to 40 decodes, rarely empty, contexts from 1 to 100,000. */
  static StepShape randomShape(SplittableRandom random) {
    StepShape shape = new StepShape();
    for (int i = random.nextInt(5); i > 0; i--) {
      shape.addPrefill(1 + spread(random, 8192), spread(random, 100_000));
    }
    addRandomDecodes(random, shape);
    return shape;
  }

  /** A pass with decodes only. */
  static StepShape randomDecodes(SplittableRandom random) {
    StepShape shape = new StepShape();
    addRandomDecodes(random, shape);
    return shape;
  }

  private static void addRandomDecodes(SplittableRandom random, StepShape shape) {
    shape.kvPoolTokens = 1L + random.nextInt(2_000_000);
    for (int i = random.nextInt(41); i > 0; i--) {
      shape.addDecode(1 + spread(random, 100_000));
      if (random.nextInt(10) == 0) {
        shape.advanceDecodes();
      }
    }
  }

  /** Log-uniform in [0, bound): small numbers are as likely as large ones. */
  private static int spread(SplittableRandom random, int bound) {
    return random.nextInt(1 + random.nextInt(bound));
  }

  static StepShape copy(StepShape shape) {
    StepShape copy = new StepShape();
    copy.kvPoolTokens = shape.kvPoolTokens;
    for (int i = 0; i < shape.prefillCount; i++) {
      copy.addPrefill(shape.prefillNew[i], shape.prefillPrefix[i]);
    }
    for (int i = 0; i < shape.decodeCount; i++) {
      copy.addDecode(shape.decodeContext(i));
    }
    return copy;
  }
}
