/** Measured serving beside what was told of it, as JSON, Markdown and a chart. */
@NullMarked
package io.orrery.reports.fidelity;

import org.jspecify.annotations.NullMarked;
