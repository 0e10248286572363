package io.orrery.engine.reference;

import io.orrery.engine.reference.ReferenceTree.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** SGLang's order of waiting requests by longest cached prefix. */
final class ReferencePrefixOrder {
  /** Longer queues stay as they are. */
  private static final int LONGEST_QUEUE = 128;

  /**
   * Who finds no more than this many tokens and shares as many with one before it, waits for it.
   */
  private static final int SHARED_TOKENS = 32;

  private final ReferencePages pages;
  private final int pageTokens;

  ReferencePrefixOrder(ReferencePages pages, int pageTokens) {
    this.pages = pages;
    this.pageTokens = pageTokens;
  }

  /** By longest match, those that wait for another's pages last. */
  void sort(List<ReferenceRequest> queue) {
    if (queue.size() > LONGEST_QUEUE) {
      return;
    }
    Map<ReferenceRequest, Integer> matches = matches(queue);
    Set<ReferenceRequest> last = waitingForOthers(queue, matches);
    queue.sort(
        Comparator.comparingInt(
            (ReferenceRequest r) -> last.contains(r) ? Integer.MAX_VALUE : -matches.get(r)));
  }

  /** Tokens that each would find. */
  private Map<ReferenceRequest, Integer> matches(List<ReferenceRequest> queue) {
    Map<ReferenceRequest, Integer> matches = new LinkedHashMap<>();
    for (ReferenceRequest request : queue) {
      List<Page> wanted = pages.wanted(request);
      matches.put(request, wanted.isEmpty() ? 0 : pages.held(wanted) * pageTokens);
    }
    return matches;
  }

  private Set<ReferenceRequest> waitingForOthers(
      List<ReferenceRequest> queue, Map<ReferenceRequest, Integer> matches) {
    List<List<Page>> firsts = new ArrayList<>();
    Set<ReferenceRequest> last = new HashSet<>();
    for (ReferenceRequest request : queue) {
      if (matches.get(request) <= SHARED_TOKENS) {
        List<Page> all = pages.of(request, request.tokens());
        int shared = firsts.stream().mapToInt(other -> common(all, other)).max().orElse(0);
        if (shared * pageTokens >= SHARED_TOKENS) {
          last.add(request);
        } else {
          firsts.add(all);
        }
      }
    }
    return last;
  }

  private static int common(List<Page> a, List<Page> b) {
    int same = 0;
    while (same < Math.min(a.size(), b.size()) && a.get(same).equals(b.get(same))) {
      same++;
    }
    return same;
  }
}
