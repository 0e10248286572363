package io.orrery.cli;

import java.io.PrintWriter;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err everything else
 * @param terminal who is looking
 */
record Console(PrintWriter out, PrintWriter err, Terminal terminal) {}
