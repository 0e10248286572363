package io.orrery.models;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The matrix products of a pass on one GPU.
 *
 * @param own what the tokens of the GPU's own sequences meet
 * @param routed what the tokens of all attention ranks meet: the routed experts of the GPU
 * @param logits the output projection: one token per sequence of the GPU's own
 */
record RooflineOperators(List<Operator> own, List<Operator> routed, Operator logits) {
  RooflineOperators {
    own = List.copyOf(own);
    routed = List.copyOf(routed);
  }

  /** Those of a worker. */
  static RooflineOperators of(Deployment worker) {
    return new RooflineOperators(own(worker), routed(worker), logits(worker));
  }

  /** Those of a draft layer, which is joined to the model by a projection. */
  static RooflineOperators ofDraftHead(Deployment worker, Deployment head) {
    List<Operator> own = own(head);
    long join = worker.model().parameters().draftJoin();
    own.add(Operator.dense("draft join", 1, join, Precision.BF16, worker.gpu()));
    return new RooflineOperators(own, routed(head), logits(head));
  }

  private static Operator logits(Deployment worker) {
    long parameters = worker.weightShare().vocabulary();
    return Operator.dense("logits", 1, parameters, Precision.BF16, worker.gpu());
  }

  private static List<Operator> own(Deployment worker) {
    ModelArchitecture model = worker.model();
    WeightShare share = worker.weightShare();
    List<Operator> list = new ArrayList<>();
    if (model.attentionLayers() > 0) {
      list.add(
          dense(
              "attention",
              worker,
              model.attentionLayers(),
              share.attention(),
              WeightPart.ATTENTION));
    }
    if (model.stateLayers() > 0) {
      list.add(
          dense("state space", worker, model.stateLayers(), share.state(), WeightPart.STATE_SPACE));
    }
    if (model.denseLayers() > 0) {
      list.add(dense("mlp", worker, model.denseLayers(), share.dense(), WeightPart.DENSE));
    }
    int layers = model.expertLayers();
    if (layers > 0) {
      long router = model.parameters().routerPerLayer();
      list.add(Operator.dense("router", layers, router, Precision.BF16, worker.gpu()));
      if (model.sharedIntermediate() > 0) {
        list.add(dense("shared expert", worker, layers, share.shared(), WeightPart.SHARED));
      }
      if (model.expertLatentSize() > 0) {
        long latent = model.parameters().expertLatentPerLayer();
        list.add(dense("expert latent", worker, layers, latent, WeightPart.SHARED));
      }
    }
    return list;
  }

  private static Operator dense(
      String name, Deployment worker, int layers, long parameters, WeightPart part) {
    return Operator.dense(name, layers, parameters, worker.precisionOf(part), worker.gpu());
  }

  private static List<Operator> routed(Deployment worker) {
    ModelArchitecture model = worker.model();
    if (model.expertLayers() == 0) {
      return List.of();
    }
    // a GPU holds one group's experts, and the visits of tokens are spread over the groups
    double expert = (double) worker.weightShare().expert() / worker.expertParallel();
    return List.of(
        new Operator(
            "experts",
            model.expertLayers(),
            expert * model.expertsPerToken(),
            worker.weights().flopsPerSecond(worker.gpu()),
            expert * worker.weights().bytesPerElement(),
            model.experts(),
            model.expertsPerToken()));
  }

  /** All but the output projection, those of experts last. */
  List<Operator> perToken() {
    return Stream.concat(own.stream(), routed.stream()).toList();
  }

  /**
   * Seconds of all but the output projection, each the longer of computing and fetching.
   *
   * @param ownTokens tokens of the GPU's own sequences
   * @param allTokens tokens of all ranks
   */
  double seconds(int ownTokens, int allTokens, double bytesPerSecond) {
    double seconds = 0;
    for (Operator operator : own) {
      seconds += operator.seconds(ownTokens, bytesPerSecond);
    }
    for (Operator operator : routed) {
      seconds += operator.seconds(allTokens, bytesPerSecond);
    }
    return seconds;
  }

  /** Seconds that everything computes at peak rate. */
  double computeSeconds(int ownTokens, int allTokens, int ownSampled) {
    double seconds = logits.computeSeconds(ownSampled);
    for (Operator operator : own) {
      seconds += operator.computeSeconds(ownTokens);
    }
    for (Operator operator : routed) {
      seconds += operator.computeSeconds(allTokens);
    }
    return seconds;
  }

  /** Bytes of weights that everything fetches. */
  double fetchedBytes(int ownTokens, int allTokens) {
    double bytes = logits.fetchedBytes(1);
    for (Operator operator : own) {
      bytes += operator.fetchedBytes(ownTokens);
    }
    for (Operator operator : routed) {
      bytes += operator.fetchedBytes(allTokens);
    }
    return bytes;
  }
}
