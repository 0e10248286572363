package io.orrery.traces;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns session objects into sessions, requests and dispatch edges. */
final class WekaLowering {
  private final TraceAssembler assembler;
  private final WekaTimes times;
  private final WekaBlocks blocks;

  WekaLowering(TraceAssembler assembler, boolean sharedSystemPrefix) {
    this.assembler = assembler;
    times = new WekaTimes(assembler);
    blocks = new WekaBlocks(assembler, sharedSystemPrefix);
  }

  /** Adds a session and its sub-agents. */
  void add(WekaSession root, JsonRows rows) {
    if (assembler.sessions.find(root.id) >= 0) {
      throw rows.wrong("id", '"' + root.id + '"', "an id that no other session has");
    }
    times.resolve(root);
    if (root.requests.isEmpty() && root.subAgents.isEmpty()) {
      throw rows.wrong("requests", "no requests", "at least one request");
    }
    blocks.startRoot(root);
    root.shift(-root.earliest());
    if (root.requests.isEmpty()) {
      for (WekaSession.SubAgent agent : root.subAgents) {
        assembler.count("sub-agents of a session without requests, taken as root sessions");
        agent.inside.shift(-agent.inside.earliest());
        open(agent.inside, childId(root.id, agent), null, rows);
        connect(agent.inside);
      }
    } else {
      open(root, root.id, null, rows);
      connect(root);
    }
  }

  void finish() {
    blocks.finish();
  }

  private void open(WekaSession session, String id, @Nullable String parentId, JsonRows rows) {
    int s = assembler.session(id, session.line);
    if (parentId != null) {
      assembler.parent(s, parentId);
    }
    WekaSession.Request previous = null;
    boolean severalModels = false;
    for (WekaSession.Request request : session.requests) {
      addRequest(s, request, rows);
      blocks.add(session, request, previous);
      severalModels |= previous != null && !Objects.equals(previous.model, request.model);
      previous = request;
    }
    if (severalModels) {
      assembler.count("sessions that name several models, replayed on one");
    }
    for (WekaSession.SubAgent agent : session.subAgents) {
      open(agent.inside, childId(id, agent), id, rows);
    }
  }

  private String childId(String parentId, WekaSession.SubAgent agent) {
    String base = parentId + "/" + (agent.agentId == null ? "agent" : agent.agentId);
    String id = base;
    for (int n = 2; assembler.sessions.find(id) >= 0; n++) {
      id = base + "~" + n;
    }
    return id;
  }

  private void addRequest(int s, WekaSession.Request request, JsonRows rows) {
    int r = assembler.request(s, request.line);
    request.number = r;
    checkIds(request, rows);
    assembler.input(r, request.input);
    assembler.output(r, request.output);
    assembler.arrival(r, request.t);
    MeasuredFacts.set(assembler, r, request.ttft, request.apiTime, RequestDraft.NONE);
    assembler.model.set(r, request.model);
    assembler.finishReason.set(r, request.stop);
  }

  private void checkIds(WekaSession.Request request, JsonRows rows) {
    int blockSize = assembler.blockSize();
    int full = request.input / blockSize;
    int most = (int) (((long) request.input + blockSize - 1) / blockSize);
    if (request.idCount > most) {
      throw rows.wrong(
          request.line,
          "hash_ids",
          request.idCount + " ids",
          "at most " + most + " for " + request.input + " input tokens in blocks of " + blockSize);
    }
    if (!request.hasIds) {
      assembler.count(TraceFindings.NO_HASHES);
    } else if (request.idCount < full) {
      assembler.count(TraceFindings.FEWER_HASHES);
    } else if (request.idCount > full) {
      assembler.count("prompts with an id for their partial last block");
    }
  }

  private void connect(WekaSession session) {
    List<List<WekaSession.SubAgent>> joins = new ArrayList<>();
    for (int k = 0; k < session.requests.size(); k++) {
      joins.add(new ArrayList<>());
    }
    for (WekaSession.SubAgent agent : session.subAgents) {
      int spawn = spawn(session, agent);
      int join = agent.background ? -1 : join(session, agent, spawn);
      if (join >= 0) {
        joins.get(join).add(agent);
      } else {
        assembler.countNote("sub-agents that nobody waits for");
      }
      connect(agent.inside);
    }
    for (int k = 1; k < session.requests.size(); k++) {
      connectTurn(session.requests.get(k - 1), session.requests.get(k), joins.get(k));
    }
  }

  /** Lets the sub-agent wait for the parent's last request before it; returns that one's index. */
  private int spawn(WekaSession session, WekaSession.SubAgent agent) {
    WekaSession.Request child = agent.inside.requests.get(0);
    int index = 0;
    while (index + 1 < session.requests.size() && session.requests.get(index + 1).t <= child.t) {
      index++;
    }
    WekaSession.Request parent = session.requests.get(index);
    if (child.t < parent.t) {
      assembler.countAt("sub-agents that start before their parent", child.number);
    }
    if (parent.end() == Trace.NO_TIME) {
      keepDistance(child, parent);
      assembler.edge(child.number, parent.number, EdgeTrigger.COMPLETION, 0);
    } else if (parent.end() <= child.t) {
      assembler.edge(child.number, parent.number, EdgeTrigger.COMPLETION, child.t - parent.end());
    } else {
      assembler.edge(
          child.number, parent.number, EdgeTrigger.DISPATCH, Math.max(0, child.t - parent.t));
    }
    return index;
  }

  /**
   * Index of the first later request of the parent that starts at or after the sub-agent's end, -1
   * for none.
   */
  private static int join(WekaSession session, WekaSession.SubAgent agent, int spawn) {
    for (int k = spawn + 1; k < session.requests.size(); k++) {
      if (session.requests.get(k).t + WekaTimes.FLOOR_NANOS > agent.end) {
        return k;
      }
    }
    return -1;
  }

  private void connectTurn(
      WekaSession.Request before, WekaSession.Request request, List<WekaSession.SubAgent> joins) {
    long end = before.end();
    for (WekaSession.SubAgent agent : joins) {
      end = agent.endOpen ? end : Math.max(end, agent.end);
    }
    long gap = end == Trace.NO_TIME ? 0 : Math.max(0, request.t - end);
    if (joins.isEmpty() && isWait(before, request)) {
      gap = request.thinkTime;
    } else if (end == Trace.NO_TIME) {
      keepDistance(request, before);
    }
    assembler.edge(request.number, before.number, EdgeTrigger.COMPLETION, gap);
    for (WekaSession.SubAgent agent : joins) {
      WekaSession.Request last = agent.inside.requests.get(agent.inside.requests.size() - 1);
      if (agent.endOpen) {
        keepDistance(request, last);
      }
      assembler.edge(request.number, last.number, EdgeTrigger.COMPLETION, agent.endOpen ? 0 : gap);
    }
  }

  /**
   * Whether the request has a think time that can have passed since the end of the one before it:
   * that one did not end before it started. In the public corpus the time counts from the last
   * request with an {@code api_time}, which may be many requests ago.
   */
  private boolean isWait(WekaSession.Request before, WekaSession.Request request) {
    if (request.thinkTime == Trace.NO_TIME) {
      return false;
    }
    boolean possible = request.thinkTime - (request.t - before.t) < WekaTimes.FLOOR_NANOS;
    if (!possible) {
      assembler.countAt(TraceFindings.LONGER_THAN_APART, request.number);
    }
    return possible;
  }

  private void keepDistance(WekaSession.Request request, WekaSession.Request before) {
    assembler.countAt(TraceFindings.START_TO_START, request.number);
    assembler.edge(
        request.number, before.number, EdgeTrigger.DISPATCH, Math.max(0, request.t - before.t));
  }
}
