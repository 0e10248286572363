package io.orrery.engine.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * SGLang's radix tree from its published rules: nodes as objects that hold every page, least
 * recently used leaves go first. Sums are counted anew by walking the tree.
 */
final class ReferenceTree {
  /** A page: where it lies in a block. */
  record Page(long block, int offset) {}

  static final class Node {
    Node parent;
    List<Page> edge;
    final List<Node> children = new ArrayList<>();
    long used;
    final long made;
    int locks;

    private Node(Node parent, List<Page> edge, long time) {
      this.parent = parent;
      this.edge = new ArrayList<>(edge);
      used = time;
      made = time;
    }
  }

  final Node root = new Node(null, List.of(), 0);
  private long time;
  private int matched;

  /** The node where the longest held prefix ends; what is passed has been used now. */
  Node match(List<Page> pages) {
    long now = ++time;
    Node node = root;
    matched = 0;
    while (matched < pages.size()) {
      Node child = null;
      for (Node candidate : node.children) {
        if (candidate.edge.get(0).equals(pages.get(matched))) {
          child = candidate;
        }
      }
      if (child == null) {
        return node;
      }
      child.used = now;
      int same = 0;
      while (same < child.edge.size()
          && matched + same < pages.size()
          && child.edge.get(same).equals(pages.get(matched + same))) {
        same++;
      }
      matched += same;
      if (same < child.edge.size()) {
        return split(child, same);
      }
      node = child;
    }
    return node;
  }

  /** Pages that the last match found. */
  int matched() {
    return matched;
  }

  private Node split(Node lower, int pages) {
    Node upper = new Node(lower.parent, lower.edge.subList(0, pages), ++time);
    upper.locks = lower.locks;
    upper.children.add(lower);
    upper.parent.children.set(upper.parent.children.indexOf(lower), upper);
    lower.parent = upper;
    lower.edge = new ArrayList<>(lower.edge.subList(pages, lower.edge.size()));
    return upper;
  }

  /** Adds what is not held yet; says how many pages were, and tells of every one that was not. */
  int insert(List<Page> pages, Consumer<Page> stored) {
    Node end = match(pages);
    int held = matched;
    if (held < pages.size()) {
      end.children.add(new Node(end, pages.subList(held, pages.size()), ++time));
      pages.subList(held, pages.size()).forEach(stored);
    }
    return held;
  }

  void lock(Node node, int change) {
    for (Node at = node; at != root; at = at.parent) {
      at.locks += change;
    }
  }

  private List<Node> nodes() {
    List<Node> all = new ArrayList<>(List.of(root));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).children);
    }
    all.remove(0);
    return all;
  }

  /** Pages in the tree. */
  int pages() {
    return nodes().stream().mapToInt(node -> node.edge.size()).sum();
  }

  /** Pages that nobody holds. */
  int evictable() {
    return nodes().stream().filter(n -> n.locks == 0).mapToInt(n -> n.edge.size()).sum();
  }

  /** Evicts whole leaves, oldest first, until so many pages are gone or none is left to go. */
  void evict(int pages, Consumer<Page> removed) {
    int gone = 0;
    while (gone < pages) {
      Node oldest =
          nodes().stream()
              .filter(node -> node.locks == 0 && node.children.isEmpty())
              .min(Comparator.<Node>comparingLong(n -> n.used).thenComparingLong(n -> n.made))
              .orElse(null);
      if (oldest == null) {
        return;
      }
      oldest.parent.children.remove(oldest);
      oldest.edge.forEach(removed);
      gone += oldest.edge.size();
    }
  }
}
