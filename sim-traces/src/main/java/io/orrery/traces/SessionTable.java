package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import org.jspecify.annotations.Nullable;

/** The sessions of a trace under construction, and their tree. */
final class SessionTable {
  private final TraceAssembler assembler;
  private final TextIndex ids = new TextIndex();
  private final IntColumn sessionOfText = new IntColumn();
  private final IntColumn text = new IntColumn();
  private final IntColumn line = new IntColumn();
  private final IntColumn file = new IntColumn();
  private final IntColumn lastRequest = new IntColumn();
  private final TextIndex parentNames = new TextIndex();

  /** Index into {@link #parentNames}, -1 for none. */
  private final IntColumn parentName = new IntColumn();

  private boolean missingParentsAreRoots;
  private boolean missingParentNoted;

  /** Parents, once they have been looked up. */
  private @Nullable IntColumn resolved;

  SessionTable(TraceAssembler assembler) {
    this.assembler = assembler;
  }

  /**
   * A parent that is not in the trace makes its child a root session and is counted; without this
   * call, an error.
   */
  void missingParentsAreRoots() {
    missingParentsAreRoots = true;
  }

  int count() {
    return text.size();
  }

  int open(@Nullable String id, int inFile, int atLine) {
    int session = text.size();
    if (id == null) {
      text.add(-1);
    } else {
      int before = ids.size();
      int index = ids.add(id);
      if (index < before) {
        return sessionOfText.get(index);
      }
      sessionOfText.add(session);
      text.add(index);
    }
    line.add(atLine);
    file.add(inFile);
    lastRequest.add(-1);
    parentName.add(-1);
    return session;
  }

  /** The session with this id, -1 if there is none. */
  int find(String id) {
    int index = ids.find(id);
    return index < 0 ? -1 : sessionOfText.get(index);
  }

  String id(int session) {
    return text.get(session) < 0 ? "session-" + session : ids.get(text.get(session));
  }

  TextColumn texts() {
    return ids.column();
  }

  /** Index into {@link #texts}, -1 for a generated id. */
  int textOf(int session) {
    return text.get(session);
  }

  /** Whether any session has an id from the file. */
  boolean hasTexts() {
    return ids.size() > 0;
  }

  void parent(int child, String parentId) {
    int name = parentNames.add(parentId);
    int known = parentName.get(child);
    if (known >= 0 && known != name) {
      throw wrong(
          child,
          "parent of session \"" + id(child) + '"',
          '"' + parentId + '"',
          "the same parent as before, \"" + parentNames.get(known) + '"');
    }
    parentName.set(child, name);
  }

  /** Makes the request the session's last and returns the one that was. */
  int appendRequest(int session, int request) {
    int before = lastRequest.get(session);
    lastRequest.set(session, request);
    return before;
  }

  /**
   * Parent of each session, -1 for a root.
   *
   * @throws TraceException on a parent that is not there, a cycle, or a session without requests
   */
  IntColumn parents() {
    IntColumn known = resolved;
    if (known != null && known.size() == count()) {
      return known;
    }
    IntColumn parents = new IntColumn();
    for (int s = 0; s < count(); s++) {
      if (lastRequest.get(s) < 0) {
        throw wrong(s, "session \"" + id(s) + '"', "no requests", "at least one request");
      }
      parents.add(parentName.get(s) < 0 ? -1 : resolved(s, parentNames.get(parentName.get(s))));
    }
    resolved = parents;
    return parents;
  }

  /** Root of each session. */
  IntColumn roots(IntColumn parents) {
    SessionRoots roots = new SessionRoots(parents);
    if (roots.onCycle() >= 0) {
      throw cycle(roots.onCycle(), parents);
    }
    return roots.roots();
  }

  private int resolved(int session, String parentId) {
    int parent = find(parentId);
    if (parent < 0 && missingParentsAreRoots) {
      assembler.countAt(
          "sessions whose parent is not in the trace, taken as root sessions",
          assembler.fileName(file.get(session)),
          line.get(session));
      if (!missingParentNoted) {
        missingParentNoted = true;
        assembler.note(
            "Sessions whose parent is not in the trace are root sessions; the first is \""
                + id(session)
                + "\", whose parent would be \""
                + parentId
                + "\".");
      }
    } else if (parent < 0) {
      throw wrong(
          session,
          "parent of session \"" + id(session) + '"',
          '"' + parentId + '"',
          "a session of this trace");
    }
    return parent;
  }

  private TraceException cycle(int member, IntColumn parents) {
    int first = member;
    for (int s = parents.get(member); s != member; s = parents.get(s)) {
      first = Math.min(first, s);
    }
    StringBuilder path = new StringBuilder("the cycle ").append(id(first));
    for (int s = parents.get(first); s != first; s = parents.get(s)) {
      path.append(" → ").append(id(s));
    }
    return wrong(
        first,
        "parent of session \"" + id(first) + '"',
        path.append(" → ").append(id(first)).toString(),
        "parents without a cycle");
  }

  private TraceException wrong(int session, String field, String value, String expected) {
    return new TraceException(
        assembler.fileName(file.get(session)), line.get(session), field, value, expected);
  }
}
