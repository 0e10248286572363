package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
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
  private final Map<String, IntColumn> groups = new HashMap<>();

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
      int blocks = (int) Math.min(kept / assembler.blockSize(), assembler.identified(before));
      shared = Math.min(full, blocks);
      assembler.runs.addSlice(assembler.runs, assembler.runStart.get(before), 0, shared);
    }
    addNew(request, shared, full);
  }

  /** Adds the prompt of the request just opened, which begins with the tokens of a group. */
  void addOfGroup(int request, String group, long tokens) {
    int full = assembler.input.get(request) / assembler.blockSize();
    int shared = (int) Math.min(tokens / assembler.blockSize(), full);
    IntColumn blocks = groups.computeIfAbsent(group, name -> new IntColumn());
    while (blocks.size() < shared) {
      blocks.add(assembler.blockIds().fresh(blocks.size() == 0 ? BlockIds.NONE : blocks.last()));
    }
    assembler.runs.startList();
    for (int i = 0; i < shared; i++) {
      assembler.runs.add(blocks.get(i));
    }
    addNew(request, shared, full);
  }

  private void addNew(int request, int from, int to) {
    int block = from == 0 ? BlockIds.NONE : assembler.runs.last();
    for (int i = from; i < to; i++) {
      block = assembler.blockIds().fresh(block);
      assembler.runs.add(block);
    }
    assembler.promptEnd(request, to);
  }
}
