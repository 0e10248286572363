package io.orrery.parquet;

/** Where rows of lists begin and end. */
final class Offsets {
  private Offsets() {}

  /**
   * @throws IllegalArgumentException unless {@code offsets} ascends from 0 to {@code length}
   */
  static void check(int[] offsets, int length) {
    if (offsets.length == 0 || offsets[0] != 0 || offsets[offsets.length - 1] != length) {
      throw new IllegalArgumentException("offsets must go from 0 to the number of values");
    }
    for (int row = 1; row < offsets.length; row++) {
      if (offsets[row] < offsets[row - 1]) {
        throw new IllegalArgumentException("offsets must ascend");
      }
    }
  }
}
