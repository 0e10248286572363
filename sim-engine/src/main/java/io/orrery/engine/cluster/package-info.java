/**
 * The cluster at work: requests are sent, placed, queued, computed. {@link
 * io.orrery.engine.cluster.ClusterRun} is the event loop; a {@code Worker} plans its steps ahead
 * and is cut by what touches it.
 */
@NullMarked
package io.orrery.engine.cluster;

import org.jspecify.annotations.NullMarked;
