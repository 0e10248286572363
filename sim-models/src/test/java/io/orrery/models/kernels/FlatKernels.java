package io.orrery.models.kernels;

import java.util.List;

/** Kernels of round numbers, so that passes can be added up by hand. */
final class FlatKernels implements KernelTimes {
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
  public double allReduce(int gpus, long elements) {
    return gpus == 1 ? 0 : 10;
  }

  @Override
  public boolean narrowExperts() {
    return false;
  }

  @Override
  public List<String> notes(KernelType dense, AttentionSite attention, ExpertSite experts) {
    return List.of();
  }
}
