package io.orrery.models;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Parts of a model's weights, as far as they may differ in precision. */
public enum WeightPart {
  /** Token embedding and output projection; always 16-bit. */
  EMBEDDING,
  /** Projections of attention. */
  ATTENTION,
  /** Projections of state-space layers; what is small in them stays 16-bit. */
  STATE_SPACE,
  /** MLPs of layers without experts. */
  DENSE,
  /** Routed experts. */
  EXPERTS,
  /** Shared experts and the projections around narrow experts. */
  SHARED,
  /** Routers, norms and whatever else is small; always 16-bit. */
  SMALL;

  /** The name in data files, such as {@code attention}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The part of this name.
   *
   * @throws IllegalArgumentException if there is none, with the nearest and all known names
   */
  public static WeightPart of(String label) {
    for (WeightPart part : values()) {
      if (part.label().equals(label)) {
        return part;
      }
    }
    List<String> known = Arrays.stream(values()).map(WeightPart::label).toList();
    throw new IllegalArgumentException(Names.unknown("part of the weights", label, known));
  }
}
