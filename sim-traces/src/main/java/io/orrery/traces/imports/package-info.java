/**
 * Traces out of the session logs that coding agents keep on disk. A log is read for what it says
 * about its calls of the model: when, how many tokens, how many of them cached, which kinds of
 * tools. No text, name or path of a log gets into a trace.
 *
 * <p>To add a tool, write a {@link io.orrery.traces.imports.LogReader} and add its line to {@link
 * io.orrery.traces.imports.LogTool}.
 */
@NullMarked
package io.orrery.traces.imports;

import org.jspecify.annotations.NullMarked;
