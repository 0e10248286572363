package io.orrery.scenarios.experiment;

import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.scenarios.spec.CostSpec;
import io.orrery.scenarios.spec.PoolSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a cluster costs and draws for as long as it stands, busy or not. Empty where the catalogue
 * knows no price or power of one of its GPUs and the scenario gives none.
 *
 * @param dollarsPerHour of all GPUs
 * @param kilowatts of all GPUs
 * @param assumptions whose figures these are, a sentence each
 */
public record ClusterCost(
    OptionalDouble dollarsPerHour, OptionalDouble kilowatts, List<String> assumptions) {
  private static final double WATTS = 1000;

  public ClusterCost {
    assumptions = List.copyOf(assumptions);
  }

  /** A figure of one GPU and who says so. */
  private record Figure(double value, String source) {}

  static ClusterCost of(CostSpec cost, List<PoolSpec> pools, List<Deployment> workers) {
    Map<String, String> sentences = new LinkedHashMap<>();
    double dollars = 0;
    double watts = 0;
    for (int i = 0; i < pools.size(); i++) {
      Gpu gpu = workers.get(i).gpu();
      Figure price = price(cost, gpu);
      Figure power = power(cost, gpu);
      sentences.put(gpu.name(), sentence(gpu, price, power));
      dollars += pools.get(i).gpus() * price.value();
      watts += pools.get(i).gpus() * power.value();
    }
    return new ClusterCost(
        known(dollars), known(watts / WATTS), new ArrayList<>(sentences.values()));
  }

  private static OptionalDouble known(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static Figure price(CostSpec cost, Gpu gpu) {
    if (cost.dollarsPerGpuHour().isPresent()) {
      return new Figure(cost.dollarsPerGpuHour().getAsDouble(), "cost.dollarsPerGpuHour");
    }
    return switch (cost.price()) {
      case "neocloud" -> figure(gpu, gpu.cost().neocloudDollarsPerHour(), "neocloudDollarsPerHour");
      case "hyperscaler" ->
          figure(gpu, gpu.cost().hyperscalerDollarsPerHour(), "hyperscalerDollarsPerHour");
      default -> figure(gpu, gpu.cost().rentalDollarsPerHour(), "rentalDollarsPerHour");
    };
  }

  private static Figure power(CostSpec cost, Gpu gpu) {
    if (cost.wattsPerGpu().isPresent()) {
      return new Figure(cost.wattsPerGpu().getAsDouble(), "cost.wattsPerGpu");
    }
    return gpu.cost().allInWatts().isPresent()
        ? figure(gpu, gpu.cost().allInWatts(), "allInWatts")
        : figure(gpu, gpu.cost().tdpWatts(), "tdpWatts");
  }

  private static Figure figure(Gpu gpu, OptionalDouble value, String field) {
    return new Figure(
        value.orElse(Double.NaN), field + ": " + gpu.sources().getOrDefault(field, "no source"));
  }

  private static String sentence(Gpu gpu, Figure price, Figure power) {
    return "Cost and energy of "
        + gpu.name()
        + ": "
        + (Double.isNaN(price.value())
            ? "no price is known"
            : String.format(
                Locale.ROOT, "%.2f dollars an hour (%s)", price.value(), price.source()))
        + (Double.isNaN(power.value())
            ? ", no power is known."
            : String.format(Locale.ROOT, ", %.0f W (%s).", power.value(), power.source()));
  }
}
