package io.orrery.models.kernels;

import java.util.List;

/** Kernels of round numbers, so that passes can be added up by hand. */
class FlatKernels implements KernelTimes {
  @Override
  public String source() {
    return "round numbers";
  }

  @Override
  public double gemm(KernelType type, int m, int n, int k) {
    return 200;
  }

  @Override
  public double prefillAttention(AttentionSite site, int batch, int length) {
    return 0.01 * batch * length * length;
  }

  @Override
  public double decodeAttention(AttentionSite site, int batch, int context) {
    return 20 + 0.1 * batch * site.seen(context);
  }

  @Override
  public double experts(ExpertSite site, int tokens) {
    return 1000;
  }

  @Override
  public double latentPrefill(LatentSite site, int batch, int length) {
    return 1000 + 0.01 * batch * length * length;
  }

  @Override
  public double latentDecode(LatentSite site, int batch, int context) {
    return 500 + 0.1 * batch * context;
  }

  @Override
  public double statePrefill(StateSite site, int sequences, int length) {
    return 40 + sequences * length;
  }

  @Override
  public double stateDecode(StateSite site, int sequences) {
    return 100 * sequences;
  }

  @Override
  public double collective(Collective collective, int gpus, long elements) {
    return gpus == 1 ? 0 : 10;
  }

  @Override
  public boolean hasBlockGemms() {
    return true;
  }

  @Override
  public boolean hasBlockExperts() {
    return true;
  }

  @Override
  public boolean narrowExperts() {
    return false;
  }

  @Override
  public List<String> notes(KernelUse use) {
    return List.of();
  }
}
