package io.orrery.models.kernels;

import io.orrery.models.StateSpace;

/**
 * One GPU's share of a Mamba2 layer: its convolution and its state, without the projections.
 *
 * @param layer the whole layer
 * @param slices GPUs that it is cut to
 */
public record StateSite(StateSpace layer, int slices) {
  private static final double ELEMENT_BYTES = 2;

  /** Bytes of a sequence's state and convolution on the GPU. */
  double stateBytes() {
    return (double) (layer.stateBytes()) / slices;
  }

  /** Bytes that a token of a prompt moves: through the convolution, into the scan and out. */
  double tokenBytes() {
    double elements = 3.0 * layer.convolutionChannels() + 2.0 * layer.innerSize();
    return ELEMENT_BYTES * elements / slices;
  }

  StateSite whole() {
    return new StateSite(layer, 1);
  }

  @Override
  public String toString() {
    return layer.heads()
        + " Mamba2 heads of "
        + layer.headDim()
        + " x "
        + layer.stateSize()
        + (slices == 1 ? "" : ", cut to " + slices + " GPUs");
  }
}
