package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A forward pass as the sum of its operators, compiled into flat tables:
 *
 * <pre>
 * GPU  = c · (Σ token operators(new tokens) + logits(sequences) + prefill attention + decode attention
 *             + Mamba2 scans + Mamba2 states)
 *        + layer gaps + sequence gaps
 * step = max(GPU, host)     with asynchronous scheduling, GPU + host without
 * </pre>
 *
 * Decode attention is the mean over the batch of T(batch, context), and never less than the longest
 * context takes alone: one long sequence holds up a batch. Decodes of several tokens, drafted ones
 * among them, are so many tokens of everything else, and of attention as {@link AttentionParts}
 * says. {@code c} and the gaps are those of {@link HostCosts}. No part is faster than the hardware
 * allows: what is, is raised and counted ({@link #floor()}), after {@code c} is applied.
 *
 * <p>With attention data parallelism, the sequences of the pass are spread evenly over the groups,
 * which wait for one another around the experts: the busiest group counts, a chunk of a prompt is
 * of one group, and the experts see the tokens of all.
 *
 * <p>Immutable. A step costs a few additions; a run of decodes about 2 ns a step.
 */
public final class OperatorStepTime implements StepTimeModel {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final int LARGEST_TABLE = 1 << 16;
  static final int LARGEST_BATCH = 2048;

  /** Nanoseconds of prompts, four minutes, beyond which units of a pass could overflow. */
  private static final double LONG_PREFILL = 0x1p38;

  private final String name;
  private final Deployment deployment;
  private final HostCosts host;
  private final List<String> notes;
  private final FloorCheck floor = new FloorCheck();
  private final int groups;
  private final long[] tokenUnits;
  private final long[] sharedUnits;
  private final long[] logitUnits;
  private final DecodeTables decodes;
  private final @Nullable OperatorStepTime draftHead;
  private final List<ChunkTable.Chunks> prefills = new ArrayList<>();
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
    this(name, deployment, operators, kernels, host, maxBatchedTokens, null);
  }

  /**
   * Compiles the model of a worker with a draft head.
   *
   * @param draftHead its passes; null for none
   */
  OperatorStepTime(
      String name,
      Deployment deployment,
      PassOperators operators,
      KernelTimes kernels,
      HostCosts host,
      int maxBatchedTokens,
      @Nullable OperatorStepTime draftHead) {
    if (maxBatchedTokens < 1) {
      throw new IllegalArgumentException(
          "maxBatchedTokens: found " + maxBatchedTokens + ", expected at least 1");
    }
    this.draftHead = draftHead;
    this.name = name;
    this.deployment = deployment;
    this.host = host;
    this.groups = deployment.attentionDataParallel();
    int layers = deployment.model().layers();
    double factor = host.kernelMultiplier() * NANOS_PER_MICRO;
    double gaps = host.layerMicros() * layers * NANOS_PER_MICRO;
    int largest = Math.min(maxBatchedTokens, LARGEST_TABLE);
    this.tokenUnits =
        TokenTable.compile(operators.tokenOperators(), largest, factor, gaps, 0, floor);
    int all = (int) Math.min((long) maxBatchedTokens * groups, LARGEST_TABLE);
    this.sharedUnits = TokenTable.compile(operators.sharedOperators(), all, factor, 0, 0, floor);
    double perSequence = host.sequenceMicros() * NANOS_PER_MICRO;
    this.logitUnits =
        TokenTable.compile(
            List.of(operators.logits()), LARGEST_BATCH, factor, 0, perSequence, floor);
    AttentionParts parts = new AttentionParts(deployment, operators, kernels, host, floor);
    prefills.addAll(parts.prefills());
    this.decodes = new DecodeTables(parts, factor, floor);
    this.mixedUnits = units(host.mixedLayerMicros() * layers * NANOS_PER_MICRO);
    this.hostUnits = units(host.hostMicros() * NANOS_PER_MICRO);
    this.hostUnitsPerSequence = units(host.hostSequenceMicros() * NANOS_PER_MICRO);
    List<String> notes = new ArrayList<>(operators.notes());
    notes.add("prefill on a cached prefix is derived from whole prompts: no table measures it");
    notes.addAll(floor.report());
    this.notes = List.copyOf(notes);
  }

  /** The passes of a worker's draft head: kernels and their gaps, without the host. */
  static OperatorStepTime ofDraftHead(
      String name, Deployment worker, KernelTimes kernels, boolean skewed, HostCosts host) {
    return new OperatorStepTime(
        name,
        worker.draftHead(),
        PassOperators.ofDraftHead(worker, kernels, skewed),
        kernels,
        host.kernelsOnly(),
        LARGEST_BATCH);
  }

  @Override
  public Optional<StepTimeModel> draftHead() {
    return Optional.ofNullable(draftHead);
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

  /** Tokens or sequences of the busiest group, if they are spread evenly. */
  private int share(int all) {
    return (all + groups - 1) / groups;
  }

  /** Attention of the busiest group, which decodes {@code own} sequences of the mean context. */
  private long share(long all, int own, int decoding) {
    return groups == 1 ? all : (long) Math.ceil(all * ((double) own / decoding));
  }

  @Override
  public long stepNanos(StepShape shape) {
    int tokens = shape.newTokens();
    if (tokens == 0) {
      return 0;
    }
    int sequences = share(shape.prefillCount + shape.decodeCount);
    int own = share(tokens);
    if (groups > 1) {
      for (int i = 0; i < shape.prefillCount; i++) {
        own = Math.max(own, shape.prefillNew[i]);
      }
    }
    DecodeTables.Tables tables = decodes.of(shape.tokensPerDecode);
    DecodeRows rows = tables.rows();
    int decoding = share(shape.decodeCount);
    long gpu =
        fixedUnits(tokens, own, share(shape.sampledTokens()))
            + TokenTable.at(tables.stateUnits(), decoding);
    double prefill = 0;
    if (shape.prefillCount > 0) {
      prefill = prefillNanos(shape);
      gpu += mixedUnits + units(prefill < LONG_PREFILL ? prefill : 0);
    }
    if (shape.decodeCount > 0) {
      long attention = share(rows.sum(shape, decoding), decoding, shape.decodeCount);
      gpu += Math.max(attention, rows.sequence(1, shape.decodeContextMax));
    }
    if (prefill >= LONG_PREFILL) { // and never mind its fractions, nor whether the host hides
      return (long) Math.ceil(prefill) + nanos(gpu, hostUnits(sequences));
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
    int own = share(batch);
    DecodeTables.Tables tables = decodes.of(1);
    DecodeRows rows = tables.rows();
    long fixed = fixedUnits(batch, own, own) + TokenTable.at(tables.stateUnits(), own);
    long hostUnits = hostUnits(own);
    // the slots of the ends hold the changes of the growth until their turn comes
    long sum = rows.begin(shape, own, steps, ends, from);
    long growth = 0;
    int longest = shape.decodeContextMax;
    int bend = rows.nextKnot(longest);
    long alone = rows.sequence(1, longest);
    long aloneSlope = rows.slopeOfOne(longest);
    long now = startNanos;
    for (int i = 0; i < steps; i++) {
      if (longest == bend) {
        aloneSlope = rows.slopeOfOne(longest);
        bend = rows.nextKnot(longest);
      }
      growth += ends[from + i];
      long attention = share(sum, own, batch);
      now += nanos(fixed + Math.max(attention, alone), hostUnits);
      ends[from + i] = now;
      sum += growth;
      alone += aloneSlope;
      longest++;
    }
    shape.advanceDecodes(steps);
  }

  private long fixedUnits(int tokens, int own, int sequences) {
    return TokenTable.at(sharedUnits, tokens)
        + TokenTable.at(tokenUnits, own)
        + TokenTable.at(logitUnits, sequences);
  }

  private long hostUnits(int sequences) {
    return hostUnits + sequences * hostUnitsPerSequence;
  }

  private long nanos(long gpu, long hostTime) {
    long units = host.asynchronous() ? Math.max(gpu, hostTime) : gpu + hostTime;
    return Math.max(1, (units + (1L << (DecodeRows.SHIFT - 1))) >> DecodeRows.SHIFT);
  }

  private double prefillNanos(StepShape shape) {
    DecodeRows decoding = decodes.of(1).rows();
    double nanos = 0;
    for (ChunkTable.Chunks part : prefills) {
      nanos += ChunkTable.sum(part, shape, groups);
    }
    long longest = 0;
    for (int i = 0; i < shape.prefillCount; i++) {
      if (shape.prefillPrefix[i] > 0) {
        int context = shape.prefillNew[i] + shape.prefillPrefix[i];
        longest = Math.max(longest, decoding.sequence(1, context));
      }
    }
    // a short query on a long prefix cannot be faster than a single token on it
    return Math.max(nanos, longest / DecodeRows.UNIT);
  }
}
