package io.orrery.models;

import java.util.Locale;

/**
 * How many parameters the parts of a model have; they follow from its shape.
 *
 * <p>Counted are the matrices and one norm vector per part of a layer; biases, attention sinks and
 * the norms inside attention are left out (together below 0.001 % of any model of the catalogue).
 *
 * @param model the shape
 */
public record ModelParameters(ModelArchitecture model) {
  /** A hundred times the largest published: beyond it, bytes and times are no longer exact. */
  private static final double MOST = 1e14;

  /** One layer's attention projections. */
  public long attentionPerLayer() {
    int hidden = model.hiddenSize();
    LatentAttention latent = model.latent();
    if (latent != null) {
      return latent.sharedParameters(hidden)
          + model.attentionHeads() * latent.parametersPerHead(hidden);
    }
    return (long) hidden * model.headDim() * (2L * model.attentionHeads() + 2L * model.kvHeads());
  }

  /** One MLP; 0 where no layer has one. */
  public long densePerLayer() {
    return matrices() * model.hiddenSize() * model.denseIntermediate();
  }

  /** One routed expert; 0 for a dense model. */
  public long perExpert() {
    return matrices() * model.expertInputSize() * model.expertIntermediate();
  }

  /** One layer's shared experts; 0 for none. */
  public long sharedPerLayer() {
    return matrices() * model.hiddenSize() * model.sharedIntermediate();
  }

  /** One layer's projections to and from narrow experts; 0 for none. */
  public long expertLatentPerLayer() {
    return 2L * model.hiddenSize() * model.expertLatentSize();
  }

  /** One layer's router; 0 for a dense model. */
  public long routerPerLayer() {
    return (long) model.hiddenSize() * model.experts();
  }

  /** One state-space layer; 0 where there are none. */
  private long statePerLayer() {
    StateSpace states = model.states();
    return states == null
        ? 0
        : states.projectionParameters(model.hiddenSize()) + states.smallParameters();
  }

  private long matrices() {
    return model.gated() ? 3 : 2;
  }

  /** All norms: one per part of a layer and the last one. */
  public long norms() {
    return (model.norms() + 1L) * model.hiddenSize();
  }

  /** The token embedding; the output projection has as many, or shares them. */
  public long embedding() {
    return (long) model.vocabularySize() * model.hiddenSize();
  }

  /**
   * The projection that joins a draft layer to the model: the embedding of a token and the hidden
   * state before it, side by side, onto one.
   */
  public long draftJoin() {
    return 2L * model.hiddenSize() * model.hiddenSize();
  }

  /** All parameters, draft layers left out. */
  public long total() {
    long perExpertLayer =
        model.experts() * perExpert()
            + sharedPerLayer()
            + expertLatentPerLayer()
            + routerPerLayer();
    return model.attentionLayers() * attentionPerLayer()
        + model.stateLayers() * statePerLayer()
        + model.denseLayers() * densePerLayer()
        + model.expertLayers() * perExpertLayer
        + norms()
        + (model.tiedEmbeddings() ? 1 : 2) * embedding();
  }

  /** What one token meets, its embedding row counted as the whole table. */
  public long active() {
    long idle = (long) (model.experts() - model.expertsPerToken()) * perExpert();
    return total() - model.expertLayers() * idle;
  }

  /**
   * Checks that bytes and times of the model can be counted.
   *
   * @throws IllegalArgumentException if it has far more parameters than any model
   */
  public void requireCountable() {
    double parameters = rough();
    if (parameters > MOST) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "model %s: %.1e parameters, expected at most %.0e",
              model,
              parameters,
              MOST));
    }
  }

  /** About {@link #total}, of numbers whose sum may be far too large for integers. */
  private double rough() {
    double perExpertLayer =
        (double) model.experts() * perExpert()
            + sharedPerLayer()
            + expertLatentPerLayer()
            + routerPerLayer();
    return (double) model.attentionLayers() * attentionPerLayer()
        + model.stateLayers() * (double) statePerLayer()
        + (double) model.denseLayers() * densePerLayer()
        + model.expertLayers() * perExpertLayer
        + 2.0 * embedding();
  }
}
