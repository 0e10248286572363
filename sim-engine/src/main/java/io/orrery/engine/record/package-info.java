/**
 * What is written down while a run goes on: a row for every request, the prefill-tax ledger, what
 * workers did, samples of latencies. Summaries and reports are made from these elsewhere.
 */
@NullMarked
package io.orrery.engine.record;

import org.jspecify.annotations.NullMarked;
