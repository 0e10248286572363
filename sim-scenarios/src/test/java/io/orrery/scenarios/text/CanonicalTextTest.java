package io.orrery.scenarios.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CanonicalTextTest {

  @Test
  void aTreeAsYamlAndAsJson() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("seed", 1L);
    tree.put("share", new BigDecimal("0.000001"));
    tree.put("on", true);
    tree.put("files", List.of("a.jsonl", "b c: d"));
    tree.put("pools", List.of(pool("main"), pool("spare")));
    tree.put("nothing", Map.of());
    assertThat(CanonicalText.yaml(tree))
        .isEqualTo(
            """
            seed: 1
            share: 0.000001
            "on": true
            files: [a.jsonl, "b c: d"]
            pools:
              - name: main
                precision:
                  kv: fp8
              - name: spare
                precision:
                  kv: fp8
            nothing: {}
            """);
    assertThat(CanonicalText.json(tree))
        .isEqualTo(
            "{\"seed\":1,\"share\":0.000001,\"on\":true,\"files\":[\"a.jsonl\",\"b c: d\"],\"pools\":"
                + "[{\"name\":\"main\",\"precision\":{\"kv\":\"fp8\"}},{\"name\":\"spare\",\"precision\":{\"kv\":\"fp8\"}}],"
                + "\"nothing\":{}}");
  }

  @Test
  void wordsThatYamlWouldReadOtherwiseAreQuoted() {
    assertThat(CanonicalText.yamlText("kv-aware")).isEqualTo("kv-aware");
    assertThat(CanonicalText.yamlText("2 s")).isEqualTo("2 s");
    assertThat(CanonicalText.yamlText("no")).isEqualTo("\"no\"");
    assertThat(CanonicalText.yamlText("True")).isEqualTo("\"True\"");
    assertThat(CanonicalText.yamlText("8")).isEqualTo("\"8\"");
    assertThat(CanonicalText.yamlText("1e3")).isEqualTo("\"1e3\"");
    assertThat(CanonicalText.yamlText(".5")).isEqualTo("\".5\"");
    assertThat(CanonicalText.yamlText("")).isEqualTo("\"\"");
    assertThat(CanonicalText.yamlText("a # b")).isEqualTo("\"a # b\"");
    assertThat(CanonicalText.yamlText("a ")).isEqualTo("\"a \"");
  }

  @Test
  void anyTextReadsBackAsItself() {
    Random random = new Random(2);
    String alphabet = "ab 8.:#-{}[],&*!|>'\"%@`~?=\\/\t\n\r\u0007\u0085\u2028\uFEFFäλ字\uD83D\uDE00";
    int[] letters = alphabet.codePoints().toArray();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        text.appendCodePoint(letters[random.nextInt(letters.length)]);
      }
      YamlNode.Mapping read =
          (YamlNode.Mapping)
              YamlReader.parse(CanonicalText.yaml(Map.of("k", text.toString())), "x.yaml");
      YamlNode.Scalar value = (YamlNode.Scalar) read.entries().get(0).value();
      assertThat(value.text()).isEqualTo(text.toString());
      assertThat(value.isNull()).isFalse();
    }
  }

  private static Map<String, Object> pool(String name) {
    Map<String, Object> pool = new LinkedHashMap<>();
    pool.put("name", name);
    pool.put("precision", Map.of("kv", "fp8"));
    return pool;
  }
}
