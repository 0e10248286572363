package io.orrery.models.kernels;

/**
 * The kernels of a source on GPUs that are linked otherwise than those that were measured: an
 * all-reduce is a ring, {@code 2·(n − 1)/n} of the bytes over every link, and a latency. Other
 * collectives, which only experts and attention data parallelism need, move {@code (n − 1)/n}.
 */
final class OtherLink extends OtherKernels {
  private static final double ELEMENT_BYTES = 2;

  private final double bytesPerMicro;
  private final double latencyMicros;

  /**
   * @param bytesPerSecond of a link, one way
   * @param latencyMicros of a collective
   */
  OtherLink(KernelTimes own, double bytesPerSecond, double latencyMicros) {
    super(own);
    this.bytesPerMicro = bytesPerSecond / KernelFloor.MICROS;
    this.latencyMicros = latencyMicros;
  }

  @Override
  public String source() {
    return super.source() + ", links as given";
  }

  @Override
  public double collective(Collective collective, int gpus, long elements) {
    if (gpus == 1) {
      return 0;
    }
    double rounds = collective == Collective.ALL_REDUCE ? 2 : 1;
    double bytes = rounds * (gpus - 1) / gpus * elements * ELEMENT_BYTES;
    return latencyMicros + bytes / bytesPerMicro;
  }
}
