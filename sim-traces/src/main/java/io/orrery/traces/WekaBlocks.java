package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives the block ids of Claude Code sessions their dense numbers.
 *
 * <p>Ids are local to a session (and its sub-agents) and small, so an array maps them. A prompt
 * repeats most of the one before it; only what follows the common prefix is looked up.
 *
 * <p><b>Shared prefix.</b> Sessions with equal model, tool and system token counts are taken to
 * have the same tool definitions and system prompt: the first ⌊(tool + system) / block⌋ blocks of a
 * session's first prompt get identities that depend on these three and the position only.
 * Sub-agents have counts and prompts of their own (in the public corpus no sub-agent shares a block
 * with its parent) and are treated alike.
 */
final class WekaBlocks {
  /** Ids from here on go through a hash map. */
  private static final int MAX_DENSE = 1 << 22;

  private final TraceAssembler assembler;
  private final boolean sharePrefix;

  /** Dense id + 1 by local id, 0 for none. */
  private int[] dense = new int[1 << 10];

  private int denseEnd;
  private LongIntMap sparse = new LongIntMap();
  private boolean global;
  private boolean anyLocal;

  /** Dense ids of the shared prefixes, by model and token counts. */
  private final Map<String, IntColumn> prefixes = new HashMap<>();

  private boolean anyShared;

  WekaBlocks(TraceAssembler assembler, boolean sharePrefix) {
    this.assembler = assembler;
    this.sharePrefix = sharePrefix;
  }

  /** Starts a root session: local ids mean new blocks. */
  void startRoot(WekaSession root) {
    if (root.globalIds && anyLocal) {
      throw new TraceException(
          null,
          0,
          "hash_id_scope of session \"" + root.id + '"',
          "\"global\"",
          "\"local\", as in the sessions before");
    }
    global = root.globalIds;
    if (!global) {
      anyLocal = true;
      Arrays.fill(dense, 0, denseEnd, 0);
      denseEnd = 0;
      sparse = new LongIntMap();
    }
  }

  /** Adds the prompt of the request just opened. */
  void add(
      WekaSession session, WekaSession.Request request, WekaSession.@Nullable Request previous) {
    RunColumn fileIds = session.fileIds;
    RunColumn out = assembler.runs;
    out.startList();
    int block = BlockIds.NONE;
    int done = 0;
    if (previous != null) {
      done = common(fileIds, request, previous);
      out.addSlice(out, assembler.runStart.get(previous.number), 0, done);
    } else if (sharePrefix && !global) {
      done = addShared(session, request);
    }
    if (done > 0) {
      block = out.last();
    }
    int position = 0;
    for (int run = request.idRun; position < request.idCount; run++) {
      int length = fileIds.length(run);
      for (int i = Math.max(0, done - position); i < length; i++) {
        block = intern(fileIds.first(run) + i, block);
        out.add(block);
      }
      position += length;
    }
    if (request.hasIds) {
      assembler.promptEnd(request.number, request.idCount);
    }
  }

  void finish() {
    if (anyShared) {
      assembler.note(
          "Sessions with equal model, tool and system token counts share the identity of their tool and system prefix"
              + " (sharedSystemPrefix).");
    } else if (!sharePrefix) {
      assembler.note("No block is shared between sessions (sharedSystemPrefix is off).");
    }
  }

  /** Number of leading blocks that two prompts have in common. */
  private static int common(
      RunColumn ids, WekaSession.Request request, WekaSession.Request previous) {
    int most = Math.min(request.idCount, previous.idCount);
    int common = 0;
    for (int i = 0; common < most; i++) {
      int a = request.idRun + i;
      int b = previous.idRun + i;
      if (ids.first(a) != ids.first(b)) {
        break;
      }
      common += Math.min(ids.length(a), ids.length(b));
      if (ids.length(a) != ids.length(b)) {
        break;
      }
    }
    return common;
  }

  /**
   * Adds the leading blocks of a session's first prompt that the shared prefix names; returns their
   * number.
   */
  private int addShared(WekaSession session, WekaSession.Request request) {
    int shared =
        Math.min(
            (int) (((long) session.toolTokens + session.systemTokens) / assembler.blockSize()),
            Math.min(request.idCount, request.input / assembler.blockSize()));
    if (shared == 0) {
      return 0;
    }
    String key = request.model + "/" + session.toolTokens + "/" + session.systemTokens;
    IntColumn prefix = prefixes.computeIfAbsent(key, k -> new IntColumn());
    if (prefix.size() > 0) {
      anyShared = true;
      assembler.countNote("sessions that share the tool and system prefix of an earlier one");
    }
    int block = BlockIds.NONE;
    for (int position = 0; position < shared; position++) {
      int local = session.fileIds.at(request.idRun, position);
      int known = find(local);
      if (known >= 0 && (position >= prefix.size() || known != prefix.get(position))) {
        // A sub-agent's prefix that an earlier one of this session has brought already.
        return position;
      }
      if (position == prefix.size()) {
        prefix.add(assembler.blockIds().fresh(block));
      }
      block = prefix.get(position);
      put(local, block);
      assembler.runs.add(block);
    }
    return shared;
  }

  private int intern(int local, int predecessor) {
    int id = find(local);
    if (id < 0) {
      id = assembler.blockIds().fresh(predecessor);
      put(local, id);
      return id;
    }
    return assembler.blockIds().chained(id, predecessor);
  }

  private int find(int local) {
    if (local >= 0 && local < MAX_DENSE) {
      return local < denseEnd ? dense[local] - 1 : -1;
    }
    return sparse.get(local);
  }

  private void put(int local, int id) {
    if (local < 0 || local >= MAX_DENSE) {
      sparse.putIfAbsent(local, id);
      return;
    }
    if (local >= dense.length) {
      dense = Arrays.copyOf(dense, Math.max(local + 1, dense.length * 2));
    }
    dense[local] = id + 1;
    denseEnd = Math.max(denseEnd, local + 1);
  }
}
