package io.orrery.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  @Test
  void oneKeyALineAndShortListsOnOne() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("b", 1L);
    tree.put("a", new BigDecimal("1E+3"));
    tree.put("yes", true);
    tree.put("nothing", null);
    tree.put("numbers", List.of(1, 2));
    tree.put("texts", List.of("x", "y"));
    tree.put("none", List.of());
    tree.put("empty", Map.of());
    tree.put("list", List.of(Map.of("k", "v")));

    assertThat(JsonText.of(tree))
        .isEqualTo(
            """
            {
              "b": 1,
              "a": 1000,
              "yes": true,
              "nothing": null,
              "numbers": [1, 2],
              "texts": [
                "x",
                "y"
              ],
              "none": [],
              "empty": {},
              "list": [
                {
                  "k": "v"
                }
              ]
            }
            """);
  }

  @Test
  void escapesWhatJsonMustAndKeepsTheRest() {
    assertThat(JsonText.of("a\"\\\n\t\r\u0001é😀")).isEqualTo("\"a\\\"\\\\\\n\\t\\r\\u0001é😀\"\n");
    assertThat(JsonText.of("half \ud83d of a pair")).isEqualTo("\"half \\ud83d of a pair\"\n");
  }

  @Test
  void refusesWhatHasNoForm() {
    assertThatThrownBy(() -> JsonText.of(0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Double");
  }
}
