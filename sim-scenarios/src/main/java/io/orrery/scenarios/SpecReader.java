package io.orrery.scenarios;

import io.orrery.engine.RouterSettings;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.spec.AdmissionSpec;
import io.orrery.scenarios.spec.ArrivalsSpec;
import io.orrery.scenarios.spec.CostSpec;
import io.orrery.scenarios.spec.DispatchMode;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.LanesSpec;
import io.orrery.scenarios.spec.PoolRole;
import io.orrery.scenarios.spec.PoolSpec;
import io.orrery.scenarios.spec.RoutingSpec;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.scenarios.spec.SloSpec;
import io.orrery.scenarios.spec.SpeculationSpec;
import io.orrery.scenarios.spec.StepTimeSpec;
import io.orrery.scenarios.spec.TraceSource;
import io.orrery.scenarios.spec.TraceSpec;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads typed values out of a checked configuration; the schema has made sure of the types and
 * ranges.
 */
final class SpecReader {
  private final EffectiveConfig config;

  SpecReader(EffectiveConfig config) {
    this.config = config;
  }

  ScenarioSpec scenario() {
    return new ScenarioSpec(
        trace(),
        pools(),
        engine(),
        completionReuse(),
        text("cache.reference").equals("infinite-cache"),
        new StepTimeSpec(
            text("stepTime.model"),
            text("stepTime.kernels"),
            text("stepTime.experts"),
            path("stepTime.perfData"),
            path("stepTime.profile"),
            decimal("stepTime.speedup"),
            decimal("stepTime.decodeSpeedup"),
            nanos("stepTime.stepOverhead")),
        admission(),
        routing(),
        new SloSpec(nanos("slo.ttft"), decimal("slo.tokensPerSecondPerUser")),
        new CostSpec(
            text("cost.price"),
            decimalOrWord("cost.dollarsPerGpuHour"),
            decimalOrWord("cost.wattsPerGpu")),
        whole("seed"),
        value("limits.simulatedTime") instanceof Value.Amount time
            ? OptionalLong.of(time.base())
            : OptionalLong.empty());
  }

  private TraceSpec trace() {
    Setting files = setting("trace.files");
    Path directory = files.origin().directory();
    List<String> places = new ArrayList<>();
    for (Value file : ((Value.Items) files.value()).values()) {
      places.add(
          TraceSource.isRemote(file.text())
              ? file.text()
              : directory.resolve(file.text()).normalize().toString());
    }
    String arrivals = "trace.closedLoop.arrivals.";
    return new TraceSpec(
        new TraceSource(
            places,
            text("trace.format"),
            wholeOrWord("trace.blockSize"),
            config.get("trace.map").map(map -> map.value().text()),
            flag("trace.sharedSystemPrefix")),
        word("trace.dispatch", DispatchMode.values(), DispatchMode::key),
        decimal("trace.timestamps.speedup"),
        nanosOrZero("trace.timestamps.jitter"),
        new ArrivalsSpec(
            word(arrivals + "process", ArrivalsSpec.Process.values(), ArrivalsSpec.Process::key),
            config.get(arrivals + "rate").isPresent() ? decimal(arrivals + "rate") : 0,
            config.get(arrivals + "cv").isPresent() ? decimal(arrivals + "cv") : 1,
            nanosOrZero(arrivals + "jitter")),
        new LanesSpec(
            wholeOrWord("trace.lanes.count"),
            flag("trace.lanes.recycle"),
            flag("trace.lanes.randomStart"),
            value("trace.lanes.limit") instanceof Value.Whole limit
                ? OptionalLong.of(limit.number())
                : OptionalLong.empty()));
  }

  private List<PoolSpec> pools() {
    List<PoolSpec> pools = new ArrayList<>();
    for (int i = 0; config.get("cluster.pools[" + i + "].name").isPresent(); i++) {
      String pool = "cluster.pools[" + i + "].";
      pools.add(
          new PoolSpec(
              text(pool + "name"),
              word(pool + "role", PoolRole.values(), PoolRole::key),
              integer(pool + "workers"),
              text(pool + "gpu"),
              text(pool + "model"),
              integer(pool + "tensorParallel"),
              integer(pool + "pipelineParallel"),
              integer(pool + "expertParallel"),
              integer(pool + "attentionDataParallel"),
              text(pool + "precision.weights"),
              text(pool + "precision.kv"),
              decimalOrWord(pool + "gpuMemoryUtilization"),
              decimal(pool + "weight"),
              texts(pool + "labels")));
    }
    return pools;
  }

  private EngineSpec engine() {
    Optional<EngineSpec.Sglang> sglang = sglang();
    // The other engines split prompts by a switch, SGLang by a size.
    boolean chunked =
        sglang.map(s -> s.chunkedPrefillSize() > 0).orElseGet(() -> flag("engine.chunkedPrefill"));
    int batchedTokens =
        sglang
            .map(s -> chunked ? s.chunkedPrefillSize() : s.maxPrefillTokens())
            .orElseGet(() -> integer("engine.maxBatchedTokens"));
    return new EngineSpec(
        text("engine.preset"),
        integer("engine.blockSize"),
        wholeOrWord("engine.kvBlocks"),
        batchedTokens,
        integer("engine.maxSequences"),
        chunked,
        flag("engine.prefixCaching"),
        flag("engine.asyncScheduling"),
        wholeOrWord("engine.maxModelLength"),
        has("engine.schedulingPolicy") && text("engine.schedulingPolicy").equals("priority"),
        has("engine.longPrefillTokenThreshold") ? integer("engine.longPrefillTokenThreshold") : 0,
        has("engine.reserveFullPrompt") && flag("engine.reserveFullPrompt"),
        has("engine.watermark") ? decimal("engine.watermark") : 0,
        has("engine.capacityPolicy")
            ? Optional.of(text("engine.capacityPolicy"))
            : Optional.empty(),
        sglang,
        speculation());
  }

  private SpeculationSpec speculation() {
    String section = "engine.speculation.";
    String method = text(section + "method");
    List<Double> acceptance = new ArrayList<>();
    if (!method.equals("none") && value(section + "acceptance") instanceof Value.Items given) {
      int drafts = integer(section + "draftTokens");
      for (int i = 0; i < drafts; i++) {
        Value value = given.values().get(given.values().size() == 1 ? 0 : i);
        acceptance.add(((Value.Decimal) value).number().doubleValue());
      }
    }
    return new SpeculationSpec(
        method,
        acceptance,
        text(section + "mode").equals("sampled"),
        wholeOrWord(section + "draftLayers"),
        value(section + "draftTime") instanceof Value.Amount time
            ? OptionalLong.of(time.base())
            : OptionalLong.empty());
  }

  private Optional<EngineSpec.Sglang> sglang() {
    if (!has("engine.schedulePolicy")) {
      return Optional.empty();
    }
    return Optional.of(
        new EngineSpec.Sglang(
            text("engine.schedulePolicy"),
            decimal("engine.scheduleConservativeness"),
            integer("engine.chunkedPrefillSize"),
            integer("engine.maxPrefillTokens")));
  }

  private boolean has(String path) {
    return config.get(path).isPresent();
  }

  private double completionReuse() {
    Value value = value("cache.completionReuse");
    if (value instanceof Value.Decimal probability) {
      return probability.number().doubleValue();
    }
    return value.text().equals("verbatim") ? 1 : 0;
  }

  private AdmissionSpec admission() {
    return new AdmissionSpec(text("admission.policy"), parameters(ScenarioSchema.ADMISSION_POLICY));
  }

  /** What stands beside the name of a policy without being declared. */
  private Map<String, Value> parameters(KeyPath policy) {
    String prefix = policy.first(1).text() + ".";
    Map<String, Value> parameters = new TreeMap<>();
    for (Setting setting : config.settings()) {
      KeyPath path = setting.path();
      if (path.startsWith(policy.first(1)) && !ScenarioSchema.isDeclaredBeside(policy, path)) {
        parameters.put(path.text().substring(prefix.length()), setting.value());
      }
    }
    return parameters;
  }

  private RoutingSpec routing() {
    Map<String, Value> parameters = parameters(ScenarioSchema.ROUTING_POLICY);
    return new RoutingSpec(
        text("routing.policy"), parameters, router(), texts("routing.placement"));
  }

  private RouterSettings router() {
    String queue = "routing.queue.";
    return new RouterSettings(
        nanos("routing.indexDelay"),
        decimal("routing.indexLoss"),
        nanos("routing.metricsInterval"),
        integer("routing.replicas"),
        nanosOrNever("routing.replicaDelay"),
        nanosOrNever("routing.activeRequestExpiry"),
        nanos("routing.lookUpTime"),
        nanos("routing.updateTime"),
        decimalOrWord("routing.busyBlocks").orElse(Double.POSITIVE_INFINITY),
        decimalOrWord("routing.busyPrefillTokens").orElse(Double.POSITIVE_INFINITY),
        decimalOrWord("routing.busyPrefillSteps").orElse(Double.POSITIVE_INFINITY),
        new RouterSettings.Queue(
            decimalOrWord(queue + "threshold").orElse(Double.POSITIVE_INFINITY),
            RouterSettings.Order.valueOf(text(queue + "order").toUpperCase(Locale.ROOT)),
            text(queue + "priorities").equals("strict")),
        List.of());
  }

  private long nanosOrNever(String path) {
    return value(path) instanceof Value.Amount time ? time.base() : RouterSettings.NEVER;
  }

  private List<String> texts(String path) {
    return config.get(path).isPresent()
        ? ((Value.Items) value(path)).values().stream().map(Value::text).toList()
        : List.of();
  }

  private Setting setting(String path) {
    return config.get(path).orElseThrow(() -> new IllegalStateException(path));
  }

  private Value value(String path) {
    return setting(path).value();
  }

  /** The path of an optional key, resolved against the file that wrote it. */
  private Optional<Path> path(String key) {
    return config
        .get(key)
        .map(path -> path.origin().directory().resolve(path.value().text()).normalize());
  }

  private String text(String path) {
    return value(path).text();
  }

  private boolean flag(String path) {
    return ((Value.Flag) value(path)).on();
  }

  private long whole(String path) {
    return ((Value.Whole) value(path)).number();
  }

  private int integer(String path) {
    return Math.toIntExact(whole(path));
  }

  private OptionalInt wholeOrWord(String path) {
    return value(path) instanceof Value.Whole whole
        ? OptionalInt.of(Math.toIntExact(whole.number()))
        : OptionalInt.empty();
  }

  private double decimal(String path) {
    return ((Value.Decimal) value(path)).number().doubleValue();
  }

  private OptionalDouble decimalOrWord(String path) {
    return value(path) instanceof Value.Decimal decimal
        ? OptionalDouble.of(decimal.number().doubleValue())
        : OptionalDouble.empty();
  }

  private long nanosOrZero(String path) {
    return config.get(path).isPresent() ? nanos(path) : 0;
  }

  private long nanos(String path) {
    return ((Value.Amount) value(path)).base();
  }

  private <E> E word(String path, E[] values, Function<E, String> key) {
    String text = text(path);
    return Arrays.stream(values).filter(e -> key.apply(e).equals(text)).findFirst().orElseThrow();
  }
}
