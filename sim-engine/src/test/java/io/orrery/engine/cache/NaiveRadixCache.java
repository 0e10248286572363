package io.orrery.engine.cache;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SGLang's radix cache as one would write it from its published rules: nodes as objects that hold
 * every token, children by their first page's tokens; every count and the order of eviction are
 * worked out anew by walking the whole tree.
 */
final class NaiveRadixCache {
  /** A node with every token of its edge. */
  static final class Node {
    List<Integer> tokens;
    Node parent;
    final Map<List<Integer>, Node> children = new HashMap<>();
    long used;
    final long made;
    int hits;
    int priority;
    int locks;

    Node(NaiveRadixCache cache, Node parent, List<Integer> tokens) {
      this.parent = parent;
      this.tokens = new ArrayList<>(tokens);
      used = ++cache.clock;
      made = ++cache.clock;
    }

    int position() {
      return parent == null ? 0 : parent.position() + parent.tokens.size();
    }
  }

  private final int page;
  private final RadixEviction strategy;
  private long clock;
  final Node root = new Node(this, null, List.of());
  Node last = root;

  NaiveRadixCache(int page, RadixEviction strategy) {
    this.page = page;
    this.strategy = strategy;
  }

  int match(List<Integer> all) {
    return walk(aligned(all), false, 0, true);
  }

  int insert(List<Integer> all, int priority, boolean chunked) {
    List<Integer> tokens = aligned(all);
    int held = walk(tokens, true, priority, chunked);
    if (held < tokens.size()) {
      Node leaf = new Node(this, last, tokens.subList(held, tokens.size()));
      leaf.hits = chunked ? 0 : 1;
      leaf.priority = priority;
      last.children.put(first(leaf.tokens), leaf);
      last = leaf;
    }
    return held;
  }

  private int walk(List<Integer> tokens, boolean inserting, int priority, boolean chunked) {
    long now = ++clock;
    int done = 0;
    last = root;
    while (done < tokens.size()) {
      List<Integer> rest = tokens.subList(done, tokens.size());
      Node child = last.children.get(first(rest));
      if (child == null) {
        break;
      }
      child.used = now;
      int same = 0;
      while (same < Math.min(child.tokens.size(), rest.size())
          && child.tokens.subList(same, same + page).equals(rest.subList(same, same + page))) {
        same += page;
      }
      boolean inside = same < child.tokens.size();
      Node reached = inside ? split(child, same) : child;
      if (inserting) {
        reached.hits += chunked ? 0 : 1;
        reached.priority = Math.max(reached.priority, priority);
      }
      done += same;
      last = reached;
      if (inside) {
        break;
      }
    }
    return done;
  }

  private Node split(Node node, int at) {
    Node upper = new Node(this, node.parent, node.tokens.subList(0, at));
    upper.hits = node.hits;
    upper.priority = node.priority;
    upper.locks = node.locks;
    node.parent.children.put(first(upper.tokens), upper);
    node.parent = upper;
    node.tokens = new ArrayList<>(node.tokens.subList(at, node.tokens.size()));
    upper.children.put(first(node.tokens), node);
    return upper;
  }

  void lock(Node node, int by) {
    for (Node at = node; at != root; at = at.parent) {
      at.locks += by;
    }
  }

  /** Evicts and lists what went as "position:length:first token". */
  List<String> evict(long wanted) {
    List<String> gone = new ArrayList<>();
    long evicted = 0;
    while (evicted < wanted) {
      Node victim = nodes().stream().filter(NaiveRadixCache::evictable).min(order()).orElse(null);
      if (victim == null) {
        break;
      }
      gone.add(victim.position() + ":" + victim.tokens.size() + ":" + victim.tokens.get(0));
      evicted += victim.tokens.size();
      victim.parent.children.remove(first(victim.tokens));
    }
    return gone;
  }

  private Comparator<Node> order() {
    Comparator<Node> byUse = Comparator.comparingLong(n -> n.used);
    return switch (strategy) {
      case LRU -> byUse;
      case MRU -> byUse.reversed();
      case FIFO -> Comparator.comparingLong(n -> n.made);
      case FILO -> Comparator.comparingLong(n -> -n.made);
      case LFU -> Comparator.<Node>comparingInt(n -> n.hits).thenComparing(byUse);
      case SLRU -> Comparator.<Node, Boolean>comparing(n -> n.hits > 1).thenComparing(byUse);
      case PRIORITY -> Comparator.<Node>comparingInt(n -> n.priority).thenComparing(byUse);
    };
  }

  static boolean evictable(Node node) {
    return node.locks == 0 && node.children.isEmpty();
  }

  /** All nodes but the root. */
  List<Node> nodes() {
    List<Node> all = new ArrayList<>();
    List<Node> open = new ArrayList<>(root.children.values());
    while (!open.isEmpty()) {
      Node node = open.remove(open.size() - 1);
      all.add(node);
      open.addAll(node.children.values());
    }
    return all;
  }

  private List<Integer> aligned(List<Integer> tokens) {
    return tokens.subList(0, tokens.size() / page * page);
  }

  private List<Integer> first(List<Integer> tokens) {
    return List.copyOf(tokens.subList(0, page));
  }
}
