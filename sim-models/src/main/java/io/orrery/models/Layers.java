package io.orrery.models;

import io.orrery.models.Layer.FeedForward;
import io.orrery.models.Layer.Mixer;
import java.util.ArrayList;
import java.util.List;

/** Plans of layers, made from the short forms of data files and configurations. */
public final class Layers {
  private Layers() {}

  /**
   * Layers that are alike but for their windows and the first few.
   *
   * @param count how many
   * @param windows one letter a layer, repeated over all: S sliding window, F full; empty for full
   * @param feedForward what they do with every token alone
   * @param denseFirst the first so many have one MLP in any case
   * @throws IllegalArgumentException if there is another letter
   */
  public static List<Layer> alike(
      int count, String windows, FeedForward feedForward, int denseFirst) {
    List<Layer> plan = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      char letter = windows.isEmpty() ? 'F' : windows.charAt(i % windows.length());
      if (letter != 'S' && letter != 'F') {
        throw new IllegalArgumentException(
            "window pattern: found '" + letter + "', expected S or F");
      }
      plan.add(
          new Layer(
              letter == 'S' ? Mixer.WINDOW : Mixer.FULL,
              i < denseFirst ? FeedForward.DENSE : feedForward));
    }
    return plan;
  }

  /**
   * One letter a layer, as in Nemotron-H: M state space, * attention, E experts, - MLP.
   *
   * @throws IllegalArgumentException if there is another letter
   */
  public static List<Layer> ofPattern(String pattern) {
    List<Layer> plan = new ArrayList<>();
    for (int i = 0; i < pattern.length(); i++) {
      plan.add(
          switch (pattern.charAt(i)) {
            case 'M' -> new Layer(Mixer.STATE, FeedForward.NONE);
            case '*' -> new Layer(Mixer.FULL, FeedForward.NONE);
            case 'E' -> new Layer(Mixer.NONE, FeedForward.EXPERTS);
            case '-' -> new Layer(Mixer.NONE, FeedForward.DENSE);
            default ->
                throw new IllegalArgumentException(
                    "layer pattern: found '"
                        + pattern.charAt(i)
                        + "' at position "
                        + (i + 1)
                        + ", expected M, *, E or -");
          });
    }
    return plan;
  }

  /** Whether tokens see one another in that way in any layer. */
  public static boolean any(List<Layer> plan, Mixer mixer) {
    return plan.stream().anyMatch(layer -> layer.mixer() == mixer);
  }

  /** Whether any layer does that with every token alone. */
  public static boolean any(List<Layer> plan, FeedForward kind) {
    return plan.stream().anyMatch(layer -> layer.feedForward() == kind);
  }
}
