/**
 * Profiles: what {@code orrery calibrate} fitted to somebody's own cluster, as a file that {@code
 * stepTime.profile} takes.
 */
@NullMarked
package io.orrery.scenarios.profile;

import org.jspecify.annotations.NullMarked;
