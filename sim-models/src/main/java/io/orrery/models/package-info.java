/**
 * What the simulated cluster is made of, and how long it takes: GPUs, model architectures, number
 * formats, the memory of a worker, and the duration of a forward pass.
 *
 * <h2>Facts</h2>
 *
 * {@link io.orrery.models.Catalog} finds a {@link io.orrery.models.Gpu} or a {@link
 * io.orrery.models.ModelArchitecture} by its name. Facts live in JSON files among the resources,
 * every value with its source; what is assumed rather than known carries a note that reaches the
 * user through {@link io.orrery.models.Deployment#notes()}. To add a GPU or a model, add an entry
 * to {@code gpus.json} or {@code models.json}. Unknown fields are errors there, and unknown names
 * are answered with the nearest one and with all there are. {@link io.orrery.models.Provenance}
 * keeps every value with its source for {@code orrery catalog}. A model may come from a Hugging
 * Face {@code config.json} too ({@code config}).
 *
 * <h2>A worker</h2>
 *
 * A {@link io.orrery.models.Deployment} is one worker: a model, a GPU, tensor and pipeline
 * parallelism, and the {@link io.orrery.models.Precision} of weights and KV cache. {@link
 * io.orrery.models.ModelParameters} counts the model's parameters, {@link
 * io.orrery.models.WeightShare} what one of the worker's GPUs holds of them. {@link
 * io.orrery.models.EngineMemory} are the rules by which an engine shares out a GPU's memory, and
 * {@link io.orrery.models.MemoryFootprint} lays it out (weights, activations, reserve, KV cache)
 * and says how many KV blocks the worker has, or by how much it does not fit.
 *
 * <h2>A step</h2>
 *
 * A scheduler describes a forward pass in a {@link io.orrery.models.StepShape}, which it reuses,
 * and a {@link io.orrery.models.StepTimeModel} says how many nanoseconds the pass takes. Models are
 * compiled per worker into flat tables, immutable and shared between threads. A pass costs a few
 * additions, whatever the batch; a run of decodes about 2 ns a pass. Results are the same on every
 * machine: doubles see addition, multiplication, division and comparison only, roots, powers and
 * logarithms come from {@link java.lang.StrictMath}.
 *
 * <ul>
 *   <li>{@link io.orrery.models.PolynomialStepTime}: DynoSim's fitted polynomials, for comparisons.
 *   <li>{@link io.orrery.models.RooflineStepTime}: the bound that the datasheet gives.
 *   <li>{@link io.orrery.models.kernels.OperatorStepTime}: the sum of a pass's kernels, from fitted
 *       laws or measured tables.
 * </ul>
 *
 * {@link io.orrery.models.StepTimeModels} finds them by name; a new kind is one class and one line.
 *
 * <p>All formulas, with a worked example: {@code docs/step-time.md}.
 *
 * <h2>Units</h2>
 *
 * Bytes, seconds, FLOP and tokens, in names or stated. GB and TFLOP are decimal; GiB appears in
 * messages only. A tensor-parallel slice and a GPU are the same thing.
 */
@NullMarked
package io.orrery.models;

import org.jspecify.annotations.NullMarked;
