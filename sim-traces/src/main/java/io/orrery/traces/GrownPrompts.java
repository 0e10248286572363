package io.orrery.traces;

import java.util.HashMap;
import java.util.Map;

/**
 * Block identities for traces that have no hashes but say how many leading tokens of a prompt are
 * those of the turn before it, or of a group. Blocks are small, so that little is lost at the
 * seams; blocks behind the kept ones are new.
 */
final class GrownPrompts {
  /** vLLM's; it divides every usual block size. */
  static final int BLOCK_SIZE = 16;

  private final TraceAssembler assembler;
  private final Map<String, Group> groups = new HashMap<>();

  GrownPrompts(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    assembler.blockSize(options.blockSize() > 0 ? options.blockSize() : BLOCK_SIZE);
  }

  /**
   * Adds the prompt of the request just opened, whose input has been given.
   *
   * @param before the turn before it, -1 for none
   * @param kept leading tokens that it shares with that turn's prompt and output
   */
  void add(int request, int before, long kept) {
    int full = assembler.input.get(request) / assembler.blockSize();
    assembler.runs.startList();
    int shared = 0;
    if (before >= 0) {
      if (kept > (long) assembler.input.get(before) + assembler.output.get(before)) {
        assembler.countAt("prefixes longer than the prompt and output before them", request);
      }
      int blocks = (int) Math.min(kept / assembler.blockSize(), assembler.identified(before));
      shared = Math.min(full, blocks);
      assembler.runs.addSlice(assembler.runs, assembler.runStart.get(before), 0, shared);
    }
    addNew(request, shared, full);
  }

  /** Adds the prompt of the request just opened, which begins with the tokens of a group. */
  void addOfGroup(int request, String name, long tokens) {
    int full = assembler.input.get(request) / assembler.blockSize();
    int shared = (int) Math.min(tokens / assembler.blockSize(), full);
    Group group = groups.computeIfAbsent(name, key -> new Group());
    if (group.size < shared) {
      int before = group.size == 0 ? BlockIds.NONE : group.blocks.last();
      group.blocks.add(fresh(request, before, shared - group.size), shared - group.size);
      group.size = shared;
    }
    assembler.runs.startList();
    assembler.runs.addSlice(group.blocks, 0, 0, shared);
    addNew(request, shared, full);
  }

  private void addNew(int request, int from, int to) {
    if (from < to) {
      int before = from == 0 ? BlockIds.NONE : assembler.runs.last();
      assembler.runs.add(fresh(request, before, to - from), to - from);
    }
    assembler.promptEnd(request, to);
  }

  private int fresh(int request, int before, int count) {
    if (count > Integer.MAX_VALUE - assembler.blockIds().count()) {
      throw assembler.wrong(
          request,
          "prompt",
          "more than " + Integer.MAX_VALUE + " blocks with those before it",
          "shorter prompts, or larger blocks (trace.blockSize)");
    }
    return assembler.blockIds().freshRun(before, count);
  }

  /** The longest beginning of a group that has been seen. */
  private static final class Group {
    final RunColumn blocks = new RunColumn();
    int size;
  }
}
