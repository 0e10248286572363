package io.orrery.models.kernels;

import java.util.List;

/**
 * The kernels of one engine with the experts of another: vLLM, for one, can be told to run
 * TensorRT-LLM's experts for MXFP4 on Blackwell, with 8-bit activations.
 */
final class BorrowedExperts extends OtherKernels {
  private final KernelTimes lender;

  BorrowedExperts(KernelTimes own, KernelTimes lender) {
    super(own);
    this.lender = lender;
  }

  @Override
  public String source() {
    return super.source() + ", experts of " + lender.source();
  }

  @Override
  public double experts(ExpertSite site, int tokens) {
    return lender.experts(site, tokens);
  }

  @Override
  public boolean hasBlockExperts() {
    return lender.hasBlockExperts();
  }

  @Override
  public boolean narrowExperts() {
    return lender.narrowExperts();
  }

  @Override
  public List<String> notes(KernelUse use) {
    return super.notes(
        new KernelUse(use.dense(), use.attention(), use.latent(), use.states(), null));
  }
}
