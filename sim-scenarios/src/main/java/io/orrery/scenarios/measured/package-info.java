/**
 * Files of measured serving, as those who measured wrote them: one reader for all that is told
 * beside them or fitted to them.
 */
@NullMarked
package io.orrery.scenarios.measured;

import org.jspecify.annotations.NullMarked;
