package io.orrery.models;

/**
 * What one layer of a model does.
 *
 * @param mixer how tokens see one another
 * @param feedForward what every token does alone
 */
public record Layer(Mixer mixer, FeedForward feedForward) {
  /** How the tokens of a layer see one another. */
  public enum Mixer {
    /** Attention over the whole context. */
    FULL,
    /** Attention over a sliding window. */
    WINDOW,
    /** A state-space scan. */
    STATE,
    /** Not at all. */
    NONE
  }

  /** What a layer does with every token alone. */
  public enum FeedForward {
    /** One MLP. */
    DENSE,
    /** Routed experts, and shared ones if the model has them. */
    EXPERTS,
    /** Nothing. */
    NONE
  }

  /** Whether the layer keeps keys and values of tokens. */
  public boolean hasAttention() {
    return mixer == Mixer.FULL || mixer == Mixer.WINDOW;
  }

  /** Norm vectors of the layer: one before each of its parts. */
  public int norms() {
    return (mixer == Mixer.NONE ? 0 : 1) + (feedForward == FeedForward.NONE ? 0 : 1);
  }
}
