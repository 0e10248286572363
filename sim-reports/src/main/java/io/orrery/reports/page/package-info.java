/**
 * Reports as files: one HTML page that needs nothing else, Markdown, and JSON from which both can
 * be made again. Whatever comes from a trace or a scenario is escaped where it is written.
 */
@NullMarked
package io.orrery.reports.page;

import org.jspecify.annotations.NullMarked;
