package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.ArrayList;
import java.util.List;

/**
 * A forward pass as the sum of its operators, compiled into flat tables:
 *
 * <pre>
 * GPU  = c · (Σ token operators(new tokens) + logits(sequences) + prefill attention + decode attention)
 *        + layer gaps + sequence gaps
 * step = max(GPU, host)     with asynchronous scheduling, GPU + host without
 * </pre>
 *
 * Decode attention is the mean over the batch of T(batch, context), and never less than the longest
 * context takes alone: one long sequence holds up a batch. {@code c} and the gaps are those of
 * {@link HostCosts}. No part is faster than the hardware allows: what is, is raised and counted
 * ({@link #floor()}), after {@code c} is applied.
 *
 * <p>Immutable. A step costs a few additions; a run of decodes about 2 ns a step.
 */
public final class OperatorStepTime implements StepTimeModel {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final int LARGEST_TABLE = 1 << 16;
  private static final int LARGEST_BATCH = 2048;

  private final String name;
  private final Deployment deployment;
  private final HostCosts host;
  private final List<String> notes;
  private final FloorCheck floor = new FloorCheck();
  private final long[] tokenUnits;
  private final long[] logitUnits;
  private final DecodeRows decodes;
  private final List<PrefillRows> prefills = new ArrayList<>();
  private final long mixedUnits;
  private final long hostUnits;
  private final long hostUnitsPerSequence;

  /**
   * Compiles a worker's model.
   *
   * @param name the kind's name
   * @param deployment the worker
   * @param operators its operators
   * @param kernels the source of attention times
   * @param host what the host and gaps add
   * @param maxBatchedTokens largest number of new tokens in a usual pass, at least 1
   */
  public OperatorStepTime(
      String name,
      Deployment deployment,
      PassOperators operators,
      KernelTimes kernels,
      HostCosts host,
      int maxBatchedTokens) {
    if (maxBatchedTokens < 1) {
      throw new IllegalArgumentException(
          "maxBatchedTokens: found " + maxBatchedTokens + ", expected at least 1");
    }
    this.name = name;
    this.deployment = deployment;
    this.host = host;
    ModelArchitecture model = deployment.model();
    double factor = host.kernelMultiplier() * NANOS_PER_MICRO;
    double gaps = host.layerMicros() * model.layers() * NANOS_PER_MICRO;
    int largest = Math.min(maxBatchedTokens, LARGEST_TABLE);
    this.tokenUnits =
        TokenTable.compile(operators.tokenOperators(), largest, factor, gaps, 0, floor);
    this.logitUnits =
        TokenTable.compile(
            List.of(operators.logits()),
            LARGEST_BATCH,
            factor,
            0,
            host.sequenceMicros() * NANOS_PER_MICRO,
            floor);
    KernelFloor least = new KernelFloor(deployment.gpu());
    AttentionSite full = operators.attention(0);
    AttentionSite windowed = operators.attention(model.slidingWindow());
    addPrefill(full, model.fullLayers(), kernels, least);
    addPrefill(windowed, model.slidingLayers(), kernels, least);
    int fullLayers = model.fullLayers();
    int slidingLayers = model.slidingLayers();
    this.decodes =
        new DecodeRows(
            model.slidingWindow(),
            (batch, context) ->
                factor
                    * (layers(fullLayers, kernels, full, batch, context)
                        + layers(slidingLayers, kernels, windowed, batch, context)),
            (batch, context) ->
                NANOS_PER_MICRO
                    * batch
                    * (fullLayers * least.attention(full, context, context)
                        + slidingLayers
                            * least.attention(
                                windowed, windowed.seen(context), windowed.seen(context))),
            floor);
    this.mixedUnits = units(host.mixedLayerMicros() * model.layers() * NANOS_PER_MICRO);
    this.hostUnits = units(host.hostMicros() * NANOS_PER_MICRO);
    this.hostUnitsPerSequence = units(host.hostSequenceMicros() * NANOS_PER_MICRO);
    List<String> all = new ArrayList<>(operators.notes());
    all.add("prefill on a cached prefix is derived from whole prompts: no table measures it");
    all.addAll(floor.report());
    this.notes = List.copyOf(all);
  }

  private void addPrefill(AttentionSite site, int layers, KernelTimes kernels, KernelFloor least) {
    if (layers > 0) {
      double factor = host.kernelMultiplier();
      prefills.add(
          new PrefillRows(
              site,
              layers,
              least,
              (chunks, length) -> factor * kernels.prefillAttention(site, chunks, length),
              floor));
    }
  }

  private static double layers(
      int layers, KernelTimes kernels, AttentionSite site, int batch, int context) {
    return layers == 0 ? 0 : layers * kernels.decodeAttention(site, batch, context);
  }

  static long units(double nanos) {
    return (long) Math.ceil(nanos * DecodeRows.UNIT);
  }

  @Override
  public String name() {
    return name;
  }

  /** The worker that this model was compiled for. */
  public Deployment deployment() {
    return deployment;
  }

  /** What the host and gaps add. */
  public HostCosts host() {
    return host;
  }

  @Override
  public long requestNanos(int promptTokens) {
    return host.requestNanos(promptTokens);
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  /** What was raised to the hardware's floor. */
  public FloorCheck floor() {
    return floor;
  }

  @Override
  public long stepNanos(StepShape shape) {
    int tokens = shape.newTokens();
    if (tokens == 0) {
      return 0;
    }
    int sequences = shape.prefillCount + shape.decodeCount;
    long gpu = fixedUnits(tokens, sequences);
    if (shape.prefillCount > 0) {
      gpu += mixedUnits + prefillUnits(shape);
    }
    if (shape.decodeCount > 0) {
      gpu += Math.max(decodes.sum(shape), decodes.sequence(1, shape.decodeContextMax));
    }
    return nanos(gpu, hostUnits(sequences));
  }

  @Override
  public void decodeRun(StepShape shape, int steps, long startNanos, long[] ends, int from) {
    StepTimeModel.requireDecodeOnly(shape);
    int batch = shape.decodeCount;
    for (int i = 0; i < steps; i++) {
      ends[from + i] = batch == 0 ? startNanos : 0;
    }
    if (batch == 0 || steps == 0) {
      return;
    }
    long fixed = fixedUnits(batch, batch);
    long hostUnits = hostUnits(batch);
    // the slots of the ends hold the changes of the growth until their turn comes
    long sum = decodes.begin(shape, steps, ends, from);
    long growth = 0;
    int longest = shape.decodeContextMax;
    int bend = decodes.nextKnot(longest);
    long alone = decodes.sequence(1, longest);
    long aloneSlope = decodes.slopeOfOne(longest);
    long now = startNanos;
    for (int i = 0; i < steps; i++) {
      if (longest == bend) {
        aloneSlope = decodes.slopeOfOne(longest);
        bend = decodes.nextKnot(longest);
      }
      growth += ends[from + i];
      now += nanos(fixed + Math.max(sum, alone), hostUnits);
      ends[from + i] = now;
      sum += growth;
      alone += aloneSlope;
      longest++;
    }
    shape.advanceDecodes(steps);
  }

  private long fixedUnits(int tokens, int sequences) {
    return TokenTable.at(tokenUnits, tokens) + TokenTable.at(logitUnits, sequences);
  }

  private long hostUnits(int sequences) {
    return hostUnits + sequences * hostUnitsPerSequence;
  }

  private long nanos(long gpu, long hostTime) {
    long units = host.asynchronous() ? Math.max(gpu, hostTime) : gpu + hostTime;
    return Math.max(1, (units + (1L << (DecodeRows.SHIFT - 1))) >> DecodeRows.SHIFT);
  }

  private long prefillUnits(StepShape shape) {
    double nanos = 0;
    for (PrefillRows rows : prefills) {
      nanos += rows.nanos(shape);
    }
    long longest = 0;
    for (int i = 0; i < shape.prefillCount; i++) {
      if (shape.prefillPrefix[i] > 0) {
        int context = shape.prefillNew[i] + shape.prefillPrefix[i];
        longest = Math.max(longest, decodes.sequence(1, context));
      }
    }
    // a short query on a long prefix cannot be faster than a single token on it
    return Math.max(units(nanos), longest);
  }
}
