/** What is said about a trace, as text, JSON and a page. */
@NullMarked
package io.orrery.reports.traces;

import org.jspecify.annotations.NullMarked;
