package io.orrery.models.kernels;

import java.util.List;

/** The kernels of a source, of which some are another's: those that a subclass overrides. */
abstract class OtherKernels implements KernelTimes {
  private final KernelTimes own;

  OtherKernels(KernelTimes own) {
    this.own = own;
  }

  @Override
  public String source() {
    return own.source();
  }

  @Override
  public double gemm(KernelType type, int m, int n, int k) {
    return own.gemm(type, m, n, k);
  }

  @Override
  public double prefillAttention(AttentionSite site, int batch, int length) {
    return own.prefillAttention(site, batch, length);
  }

  @Override
  public double decodeAttention(AttentionSite site, int batch, int context) {
    return own.decodeAttention(site, batch, context);
  }

  @Override
  public double experts(ExpertSite site, int tokens) {
    return own.experts(site, tokens);
  }

  @Override
  public double latentPrefill(LatentSite site, int batch, int length) {
    return own.latentPrefill(site, batch, length);
  }

  @Override
  public double latentDecode(LatentSite site, int batch, int context) {
    return own.latentDecode(site, batch, context);
  }

  @Override
  public double statePrefill(StateSite site, int sequences, int length) {
    return own.statePrefill(site, sequences, length);
  }

  @Override
  public double stateDecode(StateSite site, int sequences) {
    return own.stateDecode(site, sequences);
  }

  @Override
  public double collective(Collective collective, int gpus, long elements) {
    return own.collective(collective, gpus, elements);
  }

  @Override
  public double layerGap() {
    return own.layerGap();
  }

  @Override
  public boolean hasBlockGemms() {
    return own.hasBlockGemms();
  }

  @Override
  public boolean hasBlockExperts() {
    return own.hasBlockExperts();
  }

  @Override
  public boolean narrowExperts() {
    return own.narrowExperts();
  }

  @Override
  public List<String> notes(KernelUse use) {
    return own.notes(use);
  }
}
