/**
 * Request traces: what they are in memory, how they are read, and what can be counted in them.
 *
 * <p><b>A trace</b> ({@link io.orrery.traces.Trace}) is a struct of arrays over dense request and
 * session numbers, immutable, about 80 bytes a request besides its block runs. It is built by
 * {@link io.orrery.traces.TraceReaders#read TraceReaders} from files, or by hand with {@link
 * io.orrery.traces.Trace#builder Trace.builder}. Its columns are arrays while they are small and
 * mapped files beyond ({@link io.orrery.traces.columns}), so that it may be larger than the heap;
 * what is made while it is built, sorted and counted, too.
 *
 * <p><b>Block identity.</b> Captured prompts come as hashes of their token blocks. At load they are
 * numbered densely in the order of their first appearance, and the numbers are <em>chained</em>:
 * one number is one block behind one prefix. A file that names a block alike behind different
 * prefixes gets different numbers for it, counted in the provenance. So whether a block was seen is
 * whether its whole prefix was seen, for every trace. New context gets consecutive numbers, hence a
 * prompt is a short list of runs {@code [first, length]}: about three for a prompt of a hundred
 * thousand tokens. A trailing partial block has no identity for the engine; its name is kept for
 * statistics. {@link io.orrery.traces.BlockView} cuts the same runs to an engine's block size.
 *
 * <p><b>Completion blocks.</b> Generated tokens fill blocks too, and the next turn usually brings
 * them back. The blocks of a request's output get their names from recorded completion hashes, or
 * from the next turn of its session where that prompt keeps this one as its prefix and is long
 * enough. Otherwise nobody can ask for them again and they have no name.
 *
 * <p><b>Dispatch.</b> A request without edges starts at its recorded arrival. Every other one has
 * edges: another request, a trigger (its completion or its dispatch), and a delay; the latest edge
 * decides. Turns wait for the turn before them, children for the request that started them, and a
 * parent's turn for the children whose results it needs. Delays are recorded end-to-start gaps:
 * replaying start-to-start gaps after a completion would count the service time twice. Where a file
 * has no ends, the starts keep their spacing and the completion is waited for without delay. All
 * times are whole nanoseconds, converted from the file's decimals without passing through a double.
 *
 * <p><b>Formats</b> are told by content; {@link io.orrery.traces.TraceFormat} lists them, one line
 * and one reader class each. A reader streams rows (JSON objects, or a table's) out of {@code
 * JsonRows} and feeds a {@code TraceAssembler}, which checks the whole (parents, cycles, duplicate
 * ids), sorts, names completion blocks, and makes the arrays. To add a format, write a {@code
 * TraceReader} and add its line, and a sample in the tests' {@code FormatSamples}: conformance and
 * mutation tests then hold for it, too. Most readers fill a {@code RequestDraft} per row; {@code
 * ConversationGraph} says what waits for what, {@code NamedPrompts} takes block hashes, and {@code
 * GrownPrompts} cuts blocks from recorded prefix lengths.
 *
 * <p><b>Threads.</b> Files are decompressed, cut into pieces and parsed by several threads ({@code
 * Shards}, {@code TextCutter}, {@code PieceTokens}); one assembles what they have made of it, in
 * order, so that a trace and everything said about it are the same with any number of them.
 *
 * <p><b>Writers</b> are in {@link io.orrery.traces.TraceWriters}; {@code OrreryColumns} documents
 * the format that holds everything. {@link io.orrery.traces.TraceComparison} says what another one
 * loses.
 *
 * <p><b>Bad input</b> is a {@link io.orrery.traces.TraceException} that says file, line, field,
 * what was found and what was expected. Nothing is skipped in silence: what is odd but usable is
 * accepted, a {@linkplain io.orrery.traces.TraceFindings finding} with its first place, and counted
 * in the {@linkplain io.orrery.traces.TraceProvenance provenance}, which reports print. {@code
 * docs/traces.md} lists both, format by format.
 */
@NullMarked
package io.orrery.traces;

import org.jspecify.annotations.NullMarked;
