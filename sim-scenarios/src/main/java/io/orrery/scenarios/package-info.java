/**
 * Scenario files, their defaults, and the experiments that they describe.
 *
 * <p>A scenario says which trace is replayed, on which cluster, under which engine, router and
 * promises. It is a YAML file in which nearly everything may be left out; {@code defaults.yaml}
 * beside this package writes every default out, with a comment per key, and {@code
 * docs/scenario-keys.md} is the same as a table.
 *
 * <h2>From file to run</h2>
 *
 * <pre>
 *  text      YamlReader          YAML with a line and column for every key and value; nothing is guessed
 *  schema    ScenarioSchema      every key, declared once: type, unit, range, default, meaning
 *  layers    LayerReader         checks one layer against the schema, and makes assignments of it
 *            Overlay             the layers on top of one another
 *            Resolver            preset and defaults below them: an EffectiveConfig
 *            ScenarioRules       what the schema cannot say: keys that need or exclude one another
 *  result    Scenario, Variant   each variant with its EffectiveConfig and, typed, its ScenarioSpec
 * </pre>
 *
 * <p>{@link io.orrery.scenarios.ScenarioLoader} does all of it. The layers, each above the one
 * before:
 *
 * <ol>
 *   <li>the defaults of {@link io.orrery.scenarios.schema.ScenarioSchema};
 *   <li>the engine preset that {@code engine.preset} names, a partial scenario under {@code
 *       presets/};
 *   <li>the scenario file;
 *   <li>a variant's {@code set}, dotted paths to values;
 *   <li>the command line: {@code --set PATH=VALUE}, {@code --seed}, {@code --trace}.
 * </ol>
 *
 * <p>A mapping in a higher layer changes the keys it names and leaves the others; a list replaces
 * the list below it; an item of a list is reached by index or name, {@code
 * cluster.pools[0].workers} or {@code cluster.pools.main.workers}. Keys that the schema does not
 * know are allowed in one place: beside {@code routing.policy} stand the policy's own parameters,
 * which the policy declares and checks. They go with the policy: a layer that chooses another one
 * drops those below. Every value keeps its {@link io.orrery.scenarios.Origin}, and a relative path
 * is relative to whoever wrote it.
 *
 * <h2>Same configuration, same bytes</h2>
 *
 * <p>Values are canonical: {@code "2000 ms"} is {@code 2 s}, {@code 1.0} is {@code 1}, a
 * probability of 1 is {@code verbatim}. {@link io.orrery.scenarios.EffectiveConfig} writes them in
 * the schema's order as YAML that loads again, and as JSON whose SHA-256 is the configuration's
 * digest. File names enter as they were written, so that the digest is the same on every machine;
 * that the files are the same is the trace digest's business.
 *
 * <h2>Mistakes</h2>
 *
 * <p>Any mistake is a {@link io.orrery.scenarios.text.ScenarioException} with one line per problem,
 * all problems of a file at once: {@code FILE:LINE: path.to.key: found VALUE, expected WHAT}. An
 * unknown key names its nearest neighbour. Words, numbers and quantities are strict, because a
 * guess would be a wrong simulation: {@code yes} is no boolean, {@code 020} no number, {@code 2} no
 * duration. What only a catalogue or a policy can know (GPU, model, policy names, parameters) is
 * refused later, in the same words, with {@link io.orrery.scenarios.EffectiveConfig#refusal}.
 *
 * <h2>To add a key</h2>
 *
 * <p>Declare it in its section ({@link io.orrery.scenarios.schema.ScenarioSchema} names them), give
 * it a component in a record of {@code io.orrery.scenarios.spec} and a line in {@code SpecReader},
 * and run {@code ScenarioReferenceTest} once with {@code -Dorrery.regenerate=true}, which writes
 * {@code defaults.yaml} and the reference page anew.
 */
@NullMarked
package io.orrery.scenarios;

import org.jspecify.annotations.NullMarked;
