package io.orrery.traces.synthesis;

/**
 * A node in the tree of what first prompts begin with: system prompts, tools, documents that many
 * send.
 *
 * @param parent the node whose blocks stand before these, a smaller number than this node's own; −1
 *     for none
 * @param blocks how many blocks it adds
 * @param share of the sessions: those whose prompt has these blocks in common with others, and no
 *     more
 */
public record Beginning(int parent, int blocks, double share) {
  public Beginning {
    if (blocks < 1 || !(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("beginning: expected blocks, and a share from 0 to 1");
    }
  }
}
