package io.orrery.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.scenarios.schema.EnginePreset;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.schema.SchemaNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The files that people read say what the schema says. After a change of the schema, run this test
 * once with {@code -Dorrery.regenerate=true} to write them anew.
 */
class ScenarioReferenceTest {
  private static final Path DEFAULTS =
      Path.of("sim-scenarios/src/main/resources/io/orrery/scenarios/defaults.yaml");
  private static final Path PAGE = Path.of("docs/scenario-keys.md");

  @Test
  void defaultsYamlIsWhatTheSchemaSays() throws IOException {
    assertSame(DEFAULTS, ScenarioReference.defaultsYaml());
  }

  @Test
  void theReferencePageIsWhatTheSchemaSays() throws IOException {
    assertSame(PAGE, ScenarioReference.markdown());
  }

  @Test
  void defaultsYamlIsAScenarioThatChangesNothing() throws IOException {
    CommandLineSettings trace = CommandLineSettings.none().withTraces(List.of("t.jsonl"));
    EffectiveConfig defaults = ScenarioLoader.withoutFile(trace).variants().get(0).config();
    EffectiveConfig written = ScenarioLoader.load(DEFAULTS, trace).variants().get(0).config();
    assertThat(written.toYaml()).isEqualTo(defaults.toYaml());
    assertThat(written.settings().stream().filter(s -> s.origin().kind() != Origin.Kind.FILE))
        .extracting(s -> s.path().text())
        .containsExactly("trace.files");
  }

  @Test
  void presetsGiveTheKeysThatAreLeftToThem() {
    List<String> left = new ArrayList<>();
    ScenarioSchema.root()
        .child("engine")
        .map(SchemaNode.Section.class::cast)
        .orElseThrow()
        .children()
        .stream()
        .filter(SchemaNode.Key.class::isInstance)
        .map(SchemaNode.Key.class::cast)
        .filter(key -> key.absence() == SchemaNode.Absence.PRESET)
        .forEach(key -> left.add("engine." + key.name()));
    Set<String> given = new TreeSet<>();
    for (String preset : EnginePreset.names()) {
      CommandLineSettings settings =
          CommandLineSettings.none().with("trace.files=t").with("engine.preset=" + preset);
      EffectiveConfig config = ScenarioLoader.withoutFile(settings).variants().get(0).config();
      assertThat(config.settings().stream().filter(s -> s.origin().kind() == Origin.Kind.PRESET))
          .extracting(s -> s.path().text())
          .contains("engine.blockSize", "engine.kvBlocks", "engine.maxSequences")
          .isSubsetOf(left)
          .allSatisfy(given::add);
    }
    assertThat(given).containsExactlyInAnyOrderElementsOf(left);
  }

  private static void assertSame(Path file, String expected) throws IOException {
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, expected);
    }
    assertThat(Files.readString(file)).isEqualTo(expected);
  }
}
