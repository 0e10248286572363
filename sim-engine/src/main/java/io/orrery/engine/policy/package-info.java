/**
 * What routing and admission policies have in common: how a policy is described and made, its
 * parameters, the registry of names, and what happens when one breaks its contract.
 */
@NullMarked
package io.orrery.engine.policy;

import org.jspecify.annotations.NullMarked;
