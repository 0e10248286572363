package io.orrery.traces.imports;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.SurrogatePairs;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceProvenance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes a trace of an agent's logs: token counts as recorded, ids and models as keyed hashes, tools
 * by class, waits from the times. Blocks come from prefix lengths: a prompt continues the one
 * before it where it is not shorter, and shares as much as came from a cache where it is; prompts
 * that begin a session share what all such prompts of their model took from a cache.
 */
public final class LogImport {
  private static final long NANOS_PER_MS = 1_000_000;

  /** No model's context is as long; a log that says so is damaged. */
  private static final int MOST_TOKENS = 10_000_000;

  /** Stands before texts that have no UTF-8, in which there is no such byte. */
  private static final byte NOT_UTF_8 = (byte) 0xff;

  private final LogTool tool;
  private final int blockSize;
  private final Mac mac;
  private final LogFindings findings = new LogFindings();
  private long nextBlock = 1;

  private LogImport(LogTool tool, int blockSize, byte[] salt) {
    this.tool = tool;
    this.blockSize = blockSize;
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(salt, "HmacSHA256"));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
    }
  }

  /**
   * A trace and what was left out.
   *
   * @param trace without any text of the logs
   * @param findings with places, for whoever may read the logs
   */
  public record Imported(Trace trace, LogFindings findings) {}

  /**
   * Reads logs.
   *
   * @param paths files, or folders that are searched
   * @param blockSize tokens per block of the trace
   * @param salt secret, at least one byte; equal salts give equal names
   * @throws TraceException where there is no log, or no call in any
   */
  public static Imported of(LogTool tool, List<Path> paths, int blockSize, byte[] salt) {
    return new LogImport(tool, blockSize, salt).read(paths);
  }

  private Imported read(List<Path> paths) {
    LogReader reader = tool.reader();
    List<Path> files = files(paths, reader);
    List<LoggedSession> sessions = new ArrayList<>();
    for (LoggedSession session : reader.read(files, findings)) {
      boolean ofSubAgent = session.parent != null;
      session.calls.forEach(call -> call.ofSubAgent = ofSubAgent);
      session.calls.removeIf(call -> !call.usesTokens() || isNonsense(call));
      session.calls.sort(Comparator.comparingLong(call -> call.startMillis));
      if (!session.calls.isEmpty()) {
        sessions.add(session);
      }
    }
    if (sessions.isEmpty()) {
      throw new TraceException(
          paths.get(0).toString(), 0, null, "no call of a model", "logs of " + tool.toolName());
    }
    sessions.sort(Comparator.comparingLong(session -> session.calls.get(0).startMillis));
    return new Imported(trace(sessions, files.size()), findings);
  }

  private boolean isNonsense(LoggedCall call) {
    boolean nonsense = Math.max(call.input, call.output) > MOST_TOKENS;
    if (nonsense) {
      findings.count("calls of more than " + MOST_TOKENS + " tokens, left out", call.place);
    }
    return nonsense;
  }

  /** Each file once, also where a path is given twice or lies in another, or a link leads to it. */
  private List<Path> files(List<Path> paths, LogReader reader) {
    Map<Path, Path> files = new LinkedHashMap<>();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new TraceException(
            path.toString(), 0, null, "no such file or folder", "logs of " + tool.toolName());
      }
      try (Stream<Path> below = Files.walk(path)) {
        List<Path> logs =
            below.filter(Files::isRegularFile).filter(reader::isLog).sorted().toList();
        for (Path log : logs) {
          files.putIfAbsent(log.toRealPath(), log);
        }
      } catch (IOException e) {
        throw new TraceException(
            path.toString(), 0, null, String.valueOf(e.getMessage()), "a folder to search");
      }
    }
    if (files.isEmpty()) {
      throw new TraceException(
          paths.get(0).toString(), 0, null, "no log in it", "logs of " + tool.toolName());
    }
    return List.copyOf(files.values());
  }

  private Trace trace(List<LoggedSession> sessions, int files) {
    Map<String, LoggedSession> byId = new LinkedHashMap<>();
    sessions.forEach(session -> byId.put(session.id, session));
    Map<String, Long> prefixes = sharedPrefixes(sessions);
    Map<String, Long> prefixBlocks = new HashMap<>();
    sessions.stream()
        .flatMap(session -> session.calls.stream())
        .sorted(Comparator.comparingLong(call -> call.startMillis))
        .forEach(call -> blocks(call, prefixes, prefixBlocks));
    Map<LoggedCall, List<LoggedCall>> joins = joins(sessions, byId);
    TraceBuilder builder = Trace.builder(blockSize);
    long origin = sessions.get(0).calls.get(0).startMillis;
    Map<LoggedCall, String> names = new HashMap<>();
    for (LoggedSession session : sessions) {
      for (int i = 0; i < session.calls.size(); i++) {
        names.put(session.calls.get(i), hash("session", session.id) + "-" + i);
      }
    }
    for (LoggedSession session : sessions) {
      LoggedSession parent = session.parent == null ? null : byId.get(session.parent);
      builder.session(
          hash("session", session.id), parent == null ? null : hash("session", parent.id));
      LoggedCall before = null;
      for (LoggedCall call : session.calls) {
        request(builder, call, origin, names);
        edges(builder, call, before, parent, joins.getOrDefault(call, List.of()), names);
        before = call;
      }
    }
    return builder.build(provenance(files));
  }

  private void request(
      TraceBuilder builder, LoggedCall call, long origin, Map<LoggedCall, String> names) {
    builder
        .request(String.valueOf(names.get(call)))
        .input((int) call.input)
        .output((int) call.output)
        .blocks(expanded(call.runs))
        .arrival((call.startMillis - origin) * NANOS_PER_MS)
        .recordedTimes(Trace.NO_TIME, tookNanos(call))
        .recordedCachedTokens((int) Math.min(call.input, call.cached))
        .recordedNames(
            call.model == null ? null : hash("model", call.model),
            call.tools.isEmpty() ? "stop" : "tool_calls",
            call.tools.isEmpty() ? null : String.join(",", new LinkedHashSet<>(call.tools)));
  }

  /** Where only one time was logged, nobody knows. */
  private static long tookNanos(LoggedCall call) {
    long took = call.endMillis - call.startMillis;
    return took == 0 || call.timesShared ? Trace.NO_TIME : took * NANOS_PER_MS;
  }

  private static void edges(
      TraceBuilder builder,
      LoggedCall call,
      @Nullable LoggedCall before,
      @Nullable LoggedSession parent,
      List<LoggedCall> joined,
      Map<LoggedCall, String> names) {
    if (before != null) {
      long latest = before.endMillis;
      for (LoggedCall end : joined) {
        latest = Math.max(latest, end.endMillis);
      }
      long gap = Math.max(0, call.startMillis - latest) * NANOS_PER_MS;
      boolean startsOnly = before.endOpen && joined.isEmpty();
      if (startsOnly) {
        keepDistance(builder, call, before, names);
      }
      builder.afterPrevious(startsOnly ? 0 : gap);
      for (LoggedCall end : joined) {
        builder.after(String.valueOf(names.get(end)), EdgeTrigger.COMPLETION, gap);
      }
    } else if (parent != null) {
      LoggedCall launcher = launcher(parent, call.startMillis);
      if (launcher != null && launcher.endOpen) {
        keepDistance(builder, call, launcher, names);
        builder.after(String.valueOf(names.get(launcher)), EdgeTrigger.COMPLETION, 0);
      } else if (launcher != null) {
        boolean ended = launcher.endMillis <= call.startMillis;
        builder.after(
            String.valueOf(names.get(launcher)),
            ended ? EdgeTrigger.COMPLETION : EdgeTrigger.DISPATCH,
            (call.startMillis - (ended ? launcher.endMillis : launcher.startMillis))
                * NANOS_PER_MS);
      }
    }
  }

  /** Where a call's end is not known, the next one starts as long after its start as logged. */
  private static void keepDistance(
      TraceBuilder builder, LoggedCall call, LoggedCall before, Map<LoggedCall, String> names) {
    builder.after(
        String.valueOf(names.get(before)),
        EdgeTrigger.DISPATCH,
        (call.startMillis - before.startMillis) * NANOS_PER_MS);
  }

  /** The parent's last call that had ended by then, else the last that had started. */
  private static @Nullable LoggedCall launcher(LoggedSession parent, long time) {
    LoggedCall launcher = null;
    boolean ended = false;
    for (LoggedCall call : parent.calls) {
      boolean over = call.endMillis <= time;
      if (call.startMillis <= time && (over || !ended)) {
        launcher = call;
        ended |= over;
      }
    }
    return launcher;
  }

  /** For a parent's call, the last calls of the children that ended since the one before it. */
  private static Map<LoggedCall, List<LoggedCall>> joins(
      List<LoggedSession> sessions, Map<String, LoggedSession> byId) {
    Map<LoggedCall, List<LoggedCall>> joins = new HashMap<>();
    for (LoggedSession child : sessions) {
      LoggedSession parent = child.parent == null ? null : byId.get(child.parent);
      LoggedCall last = child.lastCall();
      if (parent == null || last == null) {
        continue;
      }
      LoggedCall launcher = launcher(parent, child.calls.get(0).startMillis);
      int next = launcher == null ? parent.calls.size() : parent.calls.indexOf(launcher) + 1;
      if (next < parent.calls.size() && parent.calls.get(next).startMillis >= last.endMillis) {
        joins.computeIfAbsent(parent.calls.get(next), call -> new ArrayList<>()).add(last);
      }
    }
    return joins;
  }

  /** Model, and whether a sub-agent: what is sent first differs by it. */
  private static String kind(LoggedCall call) {
    return call.model + (call.ofSubAgent ? " sub-agent" : "");
  }

  /** The least that a session's first prompt took from a cache, by kind, of those that took any. */
  private static Map<String, Long> sharedPrefixes(List<LoggedSession> sessions) {
    Map<String, Long> prefixes = new HashMap<>();
    for (LoggedSession session : sessions) {
      LoggedCall first = session.calls.get(0);
      if (first.basis == null && first.cached > 0 && !first.apart) {
        prefixes.merge(kind(first), first.cached, Math::min);
      }
    }
    return prefixes;
  }

  private void blocks(LoggedCall call, Map<String, Long> prefixes, Map<String, Long> prefixBlocks) {
    long full = call.input / blockSize;
    LoggedCall basis = call.basis;
    while (basis != null && !basis.usesTokens()) {
      basis = basis.basis;
    }
    if (basis == null && call.apart) {
      call.runs = extended(new long[0], full);
      return;
    }
    if (basis == null) {
      String kind = kind(call);
      long shared = Math.min(prefixes.getOrDefault(kind, 0L), call.input) / blockSize;
      long first =
          prefixBlocks.computeIfAbsent(
              kind, key -> fresh(prefixes.getOrDefault(kind, 0L) / blockSize));
      call.runs = extended(shared == 0 ? new long[0] : new long[] {first, shared}, full - shared);
      return;
    }
    boolean grown = call.input >= basis.input;
    long shared = (grown ? Math.max(call.cached, basis.input) : call.cached) / blockSize;
    long[] kept = leading(basis.runs, Math.min(shared, full));
    call.runs = extended(kept, full - length(kept));
  }

  private long fresh(long count) {
    long first = nextBlock;
    nextBlock += count;
    return first;
  }

  private long[] extended(long[] runs, long count) {
    if (count <= 0) {
      return runs;
    }
    long first = fresh(count);
    long[] more = Arrays.copyOf(runs, runs.length + 2);
    more[runs.length] = first;
    more[runs.length + 1] = count;
    return more;
  }

  private static long[] leading(long[] runs, long count) {
    List<Long> kept = new ArrayList<>();
    long left = count;
    for (int i = 0; i < runs.length && left > 0; i += 2) {
      kept.add(runs[i]);
      kept.add(Math.min(left, runs[i + 1]));
      left -= runs[i + 1];
    }
    return kept.stream().mapToLong(Long::longValue).toArray();
  }

  private static long length(long[] runs) {
    long length = 0;
    for (int i = 1; i < runs.length; i += 2) {
      length += runs[i];
    }
    return length;
  }

  private static long[] expanded(long[] runs) {
    long[] ids = new long[(int) length(runs)];
    int next = 0;
    for (int i = 0; i < runs.length; i += 2) {
      for (long k = 0; k < runs[i + 1]; k++) {
        ids[next++] = runs[i] + k;
      }
    }
    return ids;
  }

  private String hash(String kind, String text) {
    mac.update((kind + "\0").getBytes(StandardCharsets.UTF_8));
    if (SurrogatePairs.areWhole(text)) {
      mac.update(text.getBytes(StandardCharsets.UTF_8));
    } else {
      mac.update(NOT_UTF_8);
      for (int i = 0; i < text.length(); i++) {
        mac.update((byte) (text.charAt(i) >>> Byte.SIZE));
        mac.update((byte) text.charAt(i));
      }
    }
    byte[] digest = mac.doFinal();
    return kind + "-" + HexFormat.of().formatHex(digest, 0, Long.BYTES);
  }

  private TraceProvenance provenance(int files) {
    return new TraceProvenance(
        tool.toolName() + "-log",
        List.of(),
        blockSize,
        "dates",
        "only full blocks have an identity",
        "the earliest call is 0",
        "calls of a session by time, each after the completion of the one before it plus the"
            + " recorded gap; the next call of a parent also after the sub-agents that had ended",
        findings.counts(),
        List.of(
            "Imported from " + files + " log files without their content.",
            "Blocks come from lengths: a prompt that is not shorter than the one before it is taken"
                + " to begin with it, a shorter one with what came from a cache; first prompts of"
                + " one model share the least that any of them found in a cache."));
  }
}
