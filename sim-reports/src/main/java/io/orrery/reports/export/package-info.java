/**
 * Results in the formats of other tools: AIPerf's profile export, Prometheus' text format, HDR
 * histograms.
 */
@NullMarked
package io.orrery.reports.export;

import org.jspecify.annotations.NullMarked;
