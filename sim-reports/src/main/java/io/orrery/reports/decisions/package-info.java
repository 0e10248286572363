/** The router's decisions, to be read by people and programs: a row each, and one in words. */
@NullMarked
package io.orrery.reports.decisions;

import org.jspecify.annotations.NullMarked;
