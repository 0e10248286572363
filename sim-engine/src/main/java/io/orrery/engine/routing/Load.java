package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What "less loaded" means. Workers with equal load are told apart by their requests in flight, and
 * then not at all: who breaks that tie is the policy's choice.
 */
final class Load {
  /** What counts. */
  private enum Kind {
    REQUESTS("requests"),
    TOKENS("tokens"),
    KV("kv"),
    PENDING_PREFILL("pending-prefill");

    private final String key;

    Kind(String key) {
      this.key = key;
    }
  }

  static final PolicyParameter PARAMETER =
      PolicyParameter.choice(
          "load",
          "requests",
          List.of("requests", "tokens", "kv", "pending-prefill"),
          "What counts as load: requests in flight, their input tokens, the share of KV blocks that running requests hold, or"
              + " the prompt tokens in flight still to be computed; equal loads are told apart by requests in flight.");

  private final Kind kind;
  private final @Nullable LoadLedger ledger;

  private Load(Kind kind, @Nullable LoadLedger ledger) {
    this.kind = kind;
    this.ledger = ledger;
  }

  static Load of(RoutingContext context) {
    String text = context.text(PARAMETER.name());
    for (Kind kind : Kind.values()) {
      if (kind.key.equals(text)) {
        return new Load(kind, kind == Kind.PENDING_PREFILL ? context.load() : null);
      }
    }
    throw new IllegalArgumentException(text);
  }

  /** Negative if {@code a} is less loaded than {@code b}, 0 if nothing tells them apart. */
  int compare(WorkerView a, WorkerView b) {
    int order =
        kind == Kind.KV
            ? Long.compare(
                (long) a.usedBlocks() * b.totalBlocks(), (long) b.usedBlocks() * a.totalBlocks())
            : Long.compare(amount(a), amount(b));
    return order != 0 ? order : Integer.compare(a.requestsInFlight(), b.requestsInFlight());
  }

  /** The load as a number: requests, tokens, or used blocks. */
  long amount(WorkerView worker) {
    return switch (kind) {
      case REQUESTS -> worker.requestsInFlight();
      case TOKENS -> worker.tokensInFlight();
      case KV -> worker.usedBlocks();
      case PENDING_PREFILL -> ledger == null ? 0 : ledger.prefillTokens(worker.id());
    };
  }

  /** What {@link #amount} counts, as decisions say it. */
  String unit() {
    return switch (kind) {
      case REQUESTS -> "requests_in_flight";
      case TOKENS -> "tokens_in_flight";
      case KV -> "used_blocks";
      case PENDING_PREFILL -> "pending_prefill_tokens";
    };
  }

  /** The index of the candidate that {@code order} puts first. */
  static int first(Candidates candidates, Comparator<WorkerView> order) {
    int best = 0;
    for (int i = 1; i < candidates.size(); i++) {
      if (order.compare(candidates.get(i), candidates.get(best)) < 0) {
        best = i;
      }
    }
    return best;
  }
}
