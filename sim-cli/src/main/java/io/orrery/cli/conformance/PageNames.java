package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.engine.cache.BlockKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys for the pages of recorded token lists. A list is written as segments {@code [segment, start,
 * length]}; token {@code k} of segment {@code s} is {@code s * 65536 + k}. Equal pages get equal
 * keys, numbered as they are first seen; a page of one token is its own key.
 */
final class PageNames {
  private static final int SEGMENT_TOKENS = 1 << 16;

  private final int pageTokens;
  private final Map<List<Long>, Long> keys = new HashMap<>();
  private final List<Long> firstTokens = new ArrayList<>();

  /**
   * @throws IllegalArgumentException if a page would be empty
   */
  PageNames(int pageTokens) {
    if (pageTokens < 1) {
      throw new IllegalArgumentException("page_size: found " + pageTokens + ", expected 1 or more");
    }
    this.pageTokens = pageTokens;
  }

  /**
   * The tokens of a recorded list.
   *
   * @throws IllegalArgumentException if a segment is not three non-negative numbers
   */
  static List<Long> tokens(JsonNode segments) {
    List<Long> tokens = new ArrayList<>();
    for (JsonNode segment : segments) {
      if (!isNumber(segment.path(0)) || !isNumber(segment.path(1)) || !isNumber(segment.path(2))) {
        throw new IllegalArgumentException(
            "key: found " + segment + ", expected [segment, start, length]");
      }
      long first = segment.path(0).longValue() * SEGMENT_TOKENS + segment.path(1).longValue();
      for (int i = 0; i < segment.path(2).intValue(); i++) {
        tokens.add(first + i);
      }
    }
    return tokens;
  }

  private static boolean isNumber(JsonNode value) {
    return value.isInt() && value.intValue() >= 0;
  }

  /** The keys of the full pages of {@code tokens}. */
  BlockKeys keys(List<Long> tokens) {
    BlockKeys out = new BlockKeys();
    out.reset(0);
    long first = 0;
    int length = 0;
    for (int at = 0; at + pageTokens <= tokens.size(); at += pageTokens) {
      long key = key(tokens, at);
      if (length > 0 && key == first + length) {
        length++;
      } else {
        out.addRun(first, length);
        first = key;
        length = 1;
      }
    }
    out.addRun(first, length);
    return out;
  }

  /** The first token of the page that {@code key} stands for. */
  long firstToken(long key) {
    return pageTokens == 1 ? key : firstTokens.get((int) key);
  }

  private long key(List<Long> tokens, int at) {
    if (pageTokens == 1) {
      return tokens.get(at);
    }
    return keys.computeIfAbsent(
        List.copyOf(tokens.subList(at, at + pageTokens)),
        page -> {
          firstTokens.add(page.get(0));
          return firstTokens.size() - 1L;
        });
  }
}
