package io.orrery.traces;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prompts whose blocks have names (hashes), in one namespace or several. */
final class NamedPrompts {
  private final TraceAssembler assembler;
  private final String field;
  private final BlockNames own;
  private final Map<String, BlockNames> namespaces = new HashMap<>();

  /**
   * Prompts of a trace.
   *
   * @param field the hashes' field, for messages
   */
  NamedPrompts(TraceAssembler assembler, String field) {
    this.assembler = assembler;
    own = assembler.newNames();
    this.field = field;
  }

  /**
   * Takes the block size that a record says.
   *
   * @param wanted the one that was asked for, 0 for any
   */
  void blockSize(JsonRows rows, String sizeField, int blockSize, int wanted) {
    if (blockSize == 0 && wanted == 0) {
      throw rows.wrong(sizeField, "nothing", "the tokens per block of the hashes");
    }
    int size = blockSize == 0 ? wanted : blockSize;
    int expected = wanted > 0 ? wanted : assembler.blockSize();
    if (expected > 0 && size != expected) {
      throw rows.wrong(
          sizeField,
          Integer.toString(size),
          expected + (wanted > 0 ? ", as asked for" : ", as in the records before"));
    }
    assembler.blockSize(size);
  }

  /** Refuses more hashes than the prompt has blocks, before the request is opened. */
  void check(JsonRows rows, int input, int given) {
    int blockSize = assembler.blockSize();
    int most = (int) (((long) input + blockSize - 1) / blockSize);
    if (given > most) {
      throw rows.wrong(
          field,
          given + " hashes",
          "at most "
              + most
              + " for "
              + input
              + " input tokens in blocks of "
              + blockSize
              + " (is trace.blockSize right?)");
    }
  }

  /**
   * Adds the prompt of the request just opened, whose input has been given.
   *
   * @param namespace hashes of one number are one block within it only; null for the trace's own
   */
  void add(int request, HashRuns hashes, @Nullable String namespace) {
    int given = hashes.size();
    if (given < assembler.input.get(request) / assembler.blockSize()) {
      assembler.count(TraceFindings.FEWER_HASHES);
    }
    assembler.runs.startList();
    assembler
        .blockIds()
        .internAll(names(namespace), hashes, 0, given, BlockIds.NONE, assembler.runs);
    assembler.promptEnd(request, given);
  }

  private BlockNames names(@Nullable String namespace) {
    return namespace == null
        ? own
        : namespaces.computeIfAbsent(namespace, name -> assembler.newNames());
  }
}
