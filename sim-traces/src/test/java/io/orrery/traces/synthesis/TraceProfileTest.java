package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The profiles that come with Orrery are fits to public traces. With {@code
 * -Dorrery.regenerate=true}, and the traces, they are written anew.
 */
class TraceProfileTest {
  private static final Path RESOURCES =
      Path.of("sim-traces/src/main/resources/io/orrery/traces/synthesis");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "claude-code, traces/claude-code/claude-code-373.jsonl.zst, '373 Claude Code sessions of"
        + " kv-cache-tester (Apache-2.0)'",
    "conversation, traces/mooncake/conversation_trace.jsonl, 'the conversation trace of Mooncake"
        + " (Apache-2.0)'"
  })
  void profilesAreFitsToPublicTraces(String name, String file, String source) throws IOException {
    Path data = Path.of(System.getProperty("orrery.data", "no-such-folder")).resolve(file);
    assumeTrue(Files.exists(data), "skipped: needs " + file + " (-Dorrery.data=DIR)");

    assertSame(name, ProfileFit.of(TraceReaders.read(data), source));
  }

  @Test
  void theProfileOfChatsIsAFitToThoseOfTheTestsOfScale() throws IOException {
    Trace chats = AgentTraceSynthesizer.trace(1, 50_000);

    assertSame("chat", ProfileFit.of(chats, "short conversations, of no one's"));
  }

  private static void assertSame(String name, TraceProfile profile) throws IOException {
    Path file = RESOURCES.resolve(name + ".profile.json");
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(file, profile.toJson());
    }
    assertThat(Files.readString(file)).isEqualTo(profile.toJson());
    assertThat(TraceProfile.fromJson(profile.toJson()).toJson()).isEqualTo(profile.toJson());
  }

  @Test
  void whatIsNoProfileIsRefused() {
    for (String text : new String[] {"", "{}", "[]", "{\"version\": 2}", "no", "null", "7"}) {
      assertThatThrownBy(() -> TraceProfile.fromJson(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> TraceProfile.fromJson("{\"version\": 1, \"sharedClock\": true}"))
        .hasMessage("version: found 1, expected 2, as --save-profile writes now");
  }

  /** Whatever of a profile is taken away, or is no number any more, is named, or was optional. */
  @Test
  void profilesThatAreNotWholeAreRefused() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode chat = mapper.readTree(TraceProfile.named("chat").toJson());
    List<String> refused = new ArrayList<>();
    for (String path : paths(chat, "")) {
      JsonNode damaged = chat.deepCopy();
      int parent = path.lastIndexOf('/');
      JsonNode holder = damaged.at(path.substring(0, parent));
      String name = path.substring(parent + 1);
      if (holder instanceof ObjectNode object) {
        object.putNull(name);
        try {
          Path file = folder.resolve("x.parquet");
          TraceProfile profile = TraceProfile.fromJson(damaged.toString());
          new ProfileSynthesizer(profile, 1, SyntheticArrivals.atRate(1, 1, 0)).write(file, 3, 50);
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("expected");
          refused.add(name);
        }
      }
    }
    assertThat(refused).contains("root", "kinds", "turns", "firstInput", "waits", "p", "v");
  }

  private static List<String> paths(JsonNode node, String path) {
    List<String> paths = new ArrayList<>();
    if (node.isObject()) {
      node.fieldNames()
          .forEachRemaining(
              name -> {
                paths.add(path + "/" + name);
                paths.addAll(paths(node.path(name), path + "/" + name));
              });
    } else if (node.isArray() && node.path(0).isObject()) {
      paths.addAll(paths(node.path(0), path + "/0"));
    }
    return paths;
  }

  @Test
  void knotsKeepWhatTheyAreMadeOf() {
    Knots knots = Knots.of(new double[] {5, 1, 3});

    assertThat(knots.at(0)).isEqualTo(1);
    assertThat(knots.at(0.5)).isEqualTo(3);
    assertThat(knots.at(0.75)).isEqualTo(4);
    assertThat(knots.at(1)).isEqualTo(5);
    assertThat(knots.mean()).isEqualTo(3);
    assertThat(Knots.of(new double[] {7, 7, 7}).v()).containsExactly(7, 7);
    assertThat(Knots.of(new double[] {7}).at(0.3)).isEqualTo(7);
  }
}
