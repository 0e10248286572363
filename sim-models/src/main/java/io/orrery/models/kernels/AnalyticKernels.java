package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;
import io.orrery.models.Gpu;
import io.orrery.models.KernelEfficiency;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernel times of a GPU without measured kernels: the hardware's floor, its rates cut to a share
 * that a few measured points suggest. Low confidence; {@link #notes} says so.
 */
public final class AnalyticKernels implements KernelTimes {
  private static final double SMALLEST_MICROS = 3;
  private static final double SCAN_MICROS = 30;
  private static final double SCAN_EFFICIENCY = 0.1;

  private final Gpu gpu;
  private final KernelFloor floor;
  private final KernelEfficiency efficiency;

  /** The kernels of a GPU at some efficiency. */
  public AnalyticKernels(Gpu gpu, KernelEfficiency efficiency) {
    this.gpu = gpu;
    this.floor = new KernelFloor(gpu);
    this.efficiency = efficiency;
  }

  @Override
  public String source() {
    return "estimates for " + gpu;
  }

  @Override
  public double gemm(KernelType type, int m, int n, int k) {
    double compute = 2.0 * m * n * k / (floor.peak(type) * efficiency.compute());
    double memory =
        (double) n * k * type.weightBytes() / (floor.bandwidth() * efficiency.weights());
    return Math.max(compute, memory);
  }

  @Override
  public double prefillAttention(AttentionSite site, int batch, int length) {
    int window = site.window() == 0 ? Integer.MAX_VALUE : site.window();
    double pairs = CausalPairs.count(length, 0, window);
    return SMALLEST_MICROS + batch * floor.attention(site, pairs, length) / efficiency.attention();
  }

  @Override
  public double decodeAttention(AttentionSite site, int batch, int context) {
    long seen = site.seen(context);
    return SMALLEST_MICROS + batch * floor.attention(site, seen, seen) / efficiency.keysAndValues();
  }

  @Override
  public double experts(ExpertSite site, int tokens) {
    double rate = Math.min(efficiency.compute(), efficiency.weights());
    return SMALLEST_MICROS + floor.experts(site, tokens) / rate;
  }

  @Override
  public double latentPrefill(LatentSite site, int batch, int length) {
    return LatentComposition.prefill(this, floor, site, batch, length);
  }

  @Override
  public double latentDecode(LatentSite site, int batch, int context) {
    return LatentComposition.decode(this, floor, site, batch, context);
  }

  @Override
  public double statePrefill(StateSite site, int sequences, int length) {
    return statePrefill(floor, site, sequences, length);
  }

  @Override
  public double stateDecode(StateSite site, int sequences) {
    return stateDecode(floor, site, sequences);
  }

  /** A tenth of the bandwidth: what the measured scan and convolution reach on B200. */
  static double statePrefill(KernelFloor floor, StateSite site, int sequences, int length) {
    double tokens = (double) sequences * length;
    return SCAN_MICROS + floor.statePrefill(site, sequences, tokens) / SCAN_EFFICIENCY;
  }

  static double stateDecode(KernelFloor floor, StateSite site, int sequences) {
    return SMALLEST_MICROS + StateTables.update(floor, site, sequences);
  }

  @Override
  public double collective(Collective collective, int gpus, long elements) {
    return CollectiveTables.ring(
        collective, gpu, gpus, elements, efficiency.allReduceMicros(), efficiency.links());
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
  public double layerGap() {
    return efficiency.layerMicros();
  }

  @Override
  public boolean narrowExperts() {
    return false;
  }

  @Override
  public List<String> notes(KernelUse use) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "no kernel of " + gpu + " has been measured: step times are estimates, low confidence");
    notes.addAll(efficiency.notes());
    return List.copyOf(notes);
  }
}
