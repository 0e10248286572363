package io.orrery.reports.plan;

import io.orrery.reports.sweep.PointResult;

/**
 * A size that was tried.
 *
 * @param size sessions alive at once, or workers
 * @param factor on step times
 */
record Trial(long size, long seed, double factor, PointResult result, SloCheck check) {
  boolean holds() {
    return check.holds();
  }
}
