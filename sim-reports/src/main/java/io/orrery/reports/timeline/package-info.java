/** A run as a timeline that browsers' trace viewers (Perfetto, chrome://tracing) show. */
@NullMarked
package io.orrery.reports.timeline;

import org.jspecify.annotations.NullMarked;
