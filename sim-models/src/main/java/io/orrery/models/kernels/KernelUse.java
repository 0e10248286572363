package io.orrery.models.kernels;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of kernels that a worker's pass takes.
 *
 * @param dense format of the projections
 * @param attention attention sites, empty for none
 * @param latent latent attention, null for none
 * @param states Mamba2 layers, null for none
 * @param experts experts, null for a dense model
 */
public record KernelUse(
    KernelType dense,
    List<AttentionSite> attention,
    @Nullable LatentSite latent,
    @Nullable StateSite states,
    @Nullable ExpertSite experts) {}
