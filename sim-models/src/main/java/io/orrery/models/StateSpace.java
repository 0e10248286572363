package io.orrery.models;

/**
 * A Mamba-2 layer: instead of keys and values per token it holds one state per sequence, of
 * constant size (arXiv 2405.21060). A sequence can resume only where its state was saved.
 *
 * @param heads heads
 * @param headDim width of a head
 * @param stateSize state elements per element of a head
 * @param groups groups of heads that share input and output matrices
 * @param convolution width of the causal convolution before the scan
 * @param stateElementBytes bytes of a state element; the convolution's inputs are 16-bit
 */
public record StateSpace(
    int heads, int headDim, int stateSize, int groups, int convolution, int stateElementBytes) {

  /** Width of the scan's input and output. */
  public int innerSize() {
    return heads * headDim;
  }

  /** Channels that the convolution runs over. */
  public int convolutionChannels() {
    return innerSize() + 2 * groups * stateSize;
  }

  /** Parameters of the projections in and out. */
  public long projectionParameters(int hiddenSize) {
    long in = (long) hiddenSize * (innerSize() + convolutionChannels() + heads);
    return in + (long) innerSize() * hiddenSize;
  }

  /** Parameters that stay 16-bit: convolution with bias, three per head, and the gated norm. */
  public long smallParameters() {
    return convolutionChannels() * (convolution + 1L) + 3L * heads + innerSize();
  }

  /** Bytes of one sequence's state in one layer: the scan's, and the convolution's last inputs. */
  public long stateBytes() {
    long scan = (long) innerSize() * stateSize * stateElementBytes;
    return scan + 2L * convolutionChannels() * (convolution - 1);
  }

  /** Whether it can be cut into that many slices. */
  public boolean divides(int slices) {
    return heads % slices == 0 && (groups % slices == 0 || slices % groups == 0);
  }

  /** One of that many slices; a group is held twice where there are fewer than slices. */
  public StateSpace slice(int slices) {
    return new StateSpace(
        heads / slices,
        headDim,
        stateSize,
        Math.max(1, groups / slices),
        convolution,
        stateElementBytes);
  }
}
