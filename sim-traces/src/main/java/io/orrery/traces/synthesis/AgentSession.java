package io.orrery.traces.synthesis;

import java.util.List;

/**
 * A synthetic session.
 *
 * @param calls its own requests, in order
 * @param subAgents in the order in which they start
 */
record AgentSession(
    String id, SharedPrefix prefix, List<AgentCall> calls, List<SubAgent> subAgents) {}
