package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fits the tree of beginnings to some first prompts. */
final class BeginningsFit {
  private static final int MOST = 256;

  private final Trace trace;
  private final List<int[]> sessions;
  private final List<Node> nodes = new ArrayList<>();

  /** The node that a session's first prompt reaches; −1 for none. */
  private final int[] reached;

  /** Where the walk along each first prompt stands: its run, and the place in it. */
  private final int[] run;

  private final int[] place;

  /**
   * @param sessions each by its requests
   */
  BeginningsFit(Trace trace, List<int[]> sessions) {
    this.trace = trace;
    this.sessions = sessions;
    reached = new int[sessions.size()];
    Arrays.fill(reached, -1);
    run = sessions.stream().mapToInt(session -> trace.runStart(session[0])).toArray();
    place = new int[run.length];
    grow();
    prune();
  }

  /** A node in the making: {@code members} have its blocks in common. */
  private record Node(int parent, int blocks, List<Integer> members) {}

  /** The tree, at most {@value #MOST} nodes: those that most sessions have. */
  List<Beginning> beginnings() {
    int[] ending = new int[nodes.size()];
    for (int node : reached) {
      if (node >= 0) {
        ending[node]++;
      }
    }
    List<Beginning> beginnings = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      beginnings.add(new Beginning(node.parent, node.blocks, (double) ending[i] / sessions.size()));
    }
    return beginnings;
  }

  /** The node without a parent that a session's first prompt begins with; −1 for none. */
  int root(int session) {
    int node = reached[session];
    while (node >= 0 && nodes.get(node).parent >= 0) {
      node = nodes.get(node).parent;
    }
    return node;
  }

  /** Level by level, so that parents stand before their children. */
  private void grow() {
    List<Integer> all = new ArrayList<>();
    for (int s = 0; s < run.length; s++) {
      all.add(s);
    }
    split(-1, all);
    for (int n = 0; n < nodes.size(); n++) {
      split(n, nodes.get(n).members);
    }
  }

  /** Groups of at least two that go on alike become nodes. */
  private void split(int parent, List<Integer> members) {
    Map<Integer, List<Integer>> byNext = new LinkedHashMap<>();
    for (int member : members) {
      if (run[member] < trace.promptRunEnd(sessions.get(member)[0])) {
        byNext.computeIfAbsent(next(member), id -> new ArrayList<>()).add(member);
      }
    }
    for (List<Integer> group : byNext.values()) {
      if (group.size() > 1) {
        int node = nodes.size();
        nodes.add(new Node(parent, common(group), group));
        group.forEach(member -> reached[member] = node);
      }
    }
  }

  private int next(int member) {
    return trace.runFirst(run[member]) + place[member];
  }

  /** How far all of a group go on alike; the walks along their prompts go there. */
  private int common(List<Integer> group) {
    int blocks = 0;
    while (true) {
      int step = Integer.MAX_VALUE;
      int id = -1;
      for (int member : group) {
        boolean ended = run[member] == trace.promptRunEnd(sessions.get(member)[0]);
        if (ended || (id >= 0 && next(member) != id)) {
          return blocks;
        }
        id = next(member);
        step = Math.min(step, trace.runLength(run[member]) - place[member]);
      }
      for (int member : group) {
        place[member] += step;
        if (place[member] == trace.runLength(run[member])) {
          run[member]++;
          place[member] = 0;
        }
      }
      blocks += step;
    }
  }

  /** Whoever reached a node that is left out ends in the nearest that is not. */
  private void prune() {
    List<Integer> largest = new ArrayList<>();
    for (int n = 0; n < nodes.size(); n++) {
      largest.add(n);
    }
    largest.sort(Comparator.comparingInt(n -> -nodes.get(n).members.size()));
    int[] number = new int[nodes.size()];
    Arrays.fill(number, -1);
    largest.subList(0, Math.min(MOST, largest.size())).forEach(n -> number[n] = 0);
    List<Node> kept = new ArrayList<>();
    for (int n = 0; n < number.length; n++) {
      Node node = nodes.get(n);
      int parent = node.parent < 0 ? -1 : number[node.parent];
      if (number[n] < 0) {
        number[n] = parent;
      } else {
        number[n] = kept.size();
        kept.add(new Node(parent, node.blocks, node.members));
      }
    }
    nodes.clear();
    nodes.addAll(kept);
    for (int s = 0; s < reached.length; s++) {
      reached[s] = reached[s] < 0 ? -1 : number[reached[s]];
    }
  }
}
