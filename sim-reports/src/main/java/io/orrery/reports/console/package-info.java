/** Results for people at a terminal: a sentence that says what happened, and a table. */
@NullMarked
package io.orrery.reports.console;

import org.jspecify.annotations.NullMarked;
