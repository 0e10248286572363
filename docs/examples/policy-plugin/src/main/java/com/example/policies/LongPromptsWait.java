package com.example.policies;

import io.orrery.engine.admission.AdmissionContext;
import io.orrery.engine.admission.AdmissionPolicy;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.admission.Gate;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Lets only so many long prompts be on their way at once; short ones pass. */
public final class LongPromptsWait implements AdmissionPolicy {

  /** What ServiceLoader finds. */
  public static final class Factory implements AdmissionPolicyFactory {
    @Override
    public String name() {
      return "long-prompts-wait";
    }

    @Override
    public String summary() {
      return "Lets only so many long prompts be on their way at once; short ones pass.";
    }

    @Override
    public List<PolicyParameter> parameters() {
      return List.of(
          PolicyParameter.whole("tokens", "60000", 1, 1e9, "Input tokens that make a long prompt."),
          PolicyParameter.whole("atOnce", "4", 1, 1e6, "Long prompts on their way at once."));
    }

    @Override
    public AdmissionPolicy create(AdmissionContext context) {
      return new LongPromptsWait(context);
    }
  }

  private final double tokens;
  private final double atOnce;
  private final Gate gate;
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private int onTheirWay;

  private LongPromptsWait(AdmissionContext context) {
    tokens = context.number("tokens");
    atOnce = context.number("atOnce");
    gate = context.gate();
  }

  @Override
  public Verdict arrived(RoutedRequest request) {
    if (request.inputTokens() < tokens) {
      return Verdict.ADMIT;
    }
    if (onTheirWay < atOnce) {
      onTheirWay++;
      return Verdict.ADMIT;
    }
    waiting.add(request.id());
    return Verdict.hold("long-prompt");
  }

  @Override
  public void ended(RoutedRequest request, int worker, int outputTokens) {
    if (request.inputTokens() < tokens) {
      return;
    }
    Integer next = waiting.poll();
    if (next == null) {
      onTheirWay--;
    } else {
      gate.release(next, Verdict.ADMIT);
    }
  }
}
