package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which lines of a thread's file are its parent's history. The file's head may say where its own
 * part starts; else the ids of turns tell, which begin with the time they were made at (UUID 7), as
 * the thread's own does: turns older than the thread are another's.
 */
final class CodexHistory {
  private static final long UNKNOWN = -1;
  private static final int VERSION_AT = 14;

  private boolean begun;
  private long thread = UNKNOWN;
  private long firstOwn = UNKNOWN;
  private boolean turnIsCopied;

  /** To be asked for each line, in order. */
  boolean isCopied(JsonNode line) {
    JsonNode payload = line.path("payload");
    switch (line.path("type").asText()) {
      case "session_meta" -> {
        if (!begun) {
          begun = true;
          thread = made(payload.path("id").asText(""));
          firstOwn = payload.path("subagent_history_start_ordinal").asLong(UNKNOWN);
        }
      }
      case "turn_context" -> turn(payload);
      case "event_msg" -> {
        String type = payload.path("type").asText();
        if (type.equals("task_started") || type.equals("turn_started")) {
          turn(payload);
        }
      }
      default -> {
        // Says nothing of turns.
      }
    }
    long ordinal = line.path("ordinal").asLong(UNKNOWN);
    return (firstOwn > 0 && ordinal != UNKNOWN) ? ordinal < firstOwn : turnIsCopied;
  }

  private void turn(JsonNode payload) {
    if (payload.has("turn_id")) {
      long turn = made(payload.path("turn_id").asText(""));
      turnIsCopied = turn != UNKNOWN && turn < thread;
    }
  }

  /** When an id was made, Unix ms. */
  private static long made(String id) {
    if (id.length() <= VERSION_AT || id.charAt(VERSION_AT) != '7') {
      return UNKNOWN;
    }
    try {
      return Long.parseUnsignedLong(id.substring(0, 8) + id.substring(9, 13), 16);
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
