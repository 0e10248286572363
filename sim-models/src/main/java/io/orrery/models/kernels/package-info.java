/**
 * How long kernels take, and the forward pass as a sum of them.
 *
 * <p>{@link io.orrery.models.kernels.KernelTimes} answers for one kernel on one GPU: a GEMM,
 * prefill attention, decode attention, experts, an all-reduce. Two sources implement it: {@link
 * io.orrery.models.kernels.MeasuredKernels} interpolates the tables that the user has (kind {@code
 * table}), {@link io.orrery.models.kernels.FittedKernels} holds the laws and knots that ship with
 * this module (kind {@code law}). {@link io.orrery.models.kernels.OperatorStepTime} lists the
 * operators of a worker's forward pass, asks either source once, and compiles flat tables.
 *
 * <p>Times are microseconds here, as they are in the sources; whole passes are nanoseconds.
 */
@NullMarked
package io.orrery.models.kernels;

import org.jspecify.annotations.NullMarked;
