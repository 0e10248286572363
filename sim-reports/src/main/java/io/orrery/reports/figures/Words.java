package io.orrery.reports.figures;

import java.util.List;

/** What a reader from outside may not know. */
final class Words {
  private Words() {}

  static Section section() {
    return new Section(
        "words",
        "Words",
        "What the names in this report mean.",
        List.of(),
        List.of(
            Table.of(
                "words-table",
                "Names and their meanings",
                List.of("name", "meaning"),
                List.of(
                    row("session, turn", "one agent's or user's work; a request of it, in order"),
                    row(
                        "worker",
                        "one copy of the model on one or more GPUs, with a cache of its own"),
                    row("router", "decides which worker serves a request"),
                    row(
                        "admission",
                        "decides whether a request may go on to the router or is held back"),
                    row(
                        "prefill, decode",
                        "computing the prompt; computing output tokens one by one"),
                    row(
                        "TTFT",
                        "time to first token: from sending a request to its first output token"),
                    row("p50, p95, p99", "half, 95 % and 99 % of the samples are not above it"),
                    row(
                        "SLO",
                        "service level: the longest TTFT and the least output speed promised to users"),
                    row(
                        "KV cache, blocks",
                        "what a worker keeps of prompts and outputs, in blocks of tokens;"
                            + " a prompt that begins with kept blocks need not compute them"),
                    row("reused", "input tokens that were found in a cache and not computed"),
                    row("evicted", "thrown out of a full cache before it was needed again"),
                    row("working set", "distinct blocks of all sessions that are alive"),
                    row(
                        "slowdown, fairness (Jain)",
                        "a session's time against its time alone on an idle cluster;"
                            + " 1 if all sessions are slowed alike, towards 0 the less they are")))));
  }

  private static List<String> row(String name, String meaning) {
    return List.of(name, meaning);
  }
}
