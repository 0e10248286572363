/**
 * Models from the {@code config.json} that a Hugging Face repository carries: {@link
 * io.orrery.models.config.HuggingFaceConfig} turns one into a {@link
 * io.orrery.models.ModelArchitecture}, and names file, line, field and value of what it cannot use.
 */
@NullMarked
package io.orrery.models.config;

import org.jspecify.annotations.NullMarked;
