package io.orrery.scenarios.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlReaderTest {
  @TempDir Path folder;

  @Test
  void everyKeyAndValueKnowsItsLineAndColumn() {
    YamlNode.Mapping root = mapping("a: 1\nb:\n  - x\n  - {c: 2}\n");
    // a: at 1:1, its value at 1:4; the list starts at 3:3; c stands at 4:6 and its value at 4:9.
    assertThat(root.entries().get(0).key().position()).isEqualTo(new Position("x.yaml", 1, 1));
    assertThat(root.entries().get(0).value().position()).isEqualTo(new Position("x.yaml", 1, 4));
    YamlNode.Sequence list = (YamlNode.Sequence) root.entries().get(1).value();
    assertThat(list.position()).isEqualTo(new Position("x.yaml", 3, 3));
    YamlNode.Entry c = ((YamlNode.Mapping) list.items().get(1)).entries().get(0);
    assertThat(c.key().position()).isEqualTo(new Position("x.yaml", 4, 6));
    assertThat(c.value().position()).isEqualTo(new Position("x.yaml", 4, 9));
  }

  @Test
  void byteOrderMarkAndWindowsLineEndsAreAccepted() throws IOException {
    YamlNode plain = YamlReader.read(file("a: 1\nb: 2\n".getBytes(StandardCharsets.UTF_8)));
    YamlNode windows =
        YamlReader.read(file("\uFEFFa: 1\r\nb: 2\r\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(windows).isEqualTo(plain);
  }

  @Test
  void anAliasStandsForItsAnchor() {
    YamlNode.Mapping root = mapping("a: &x {b: 1}\nc: *x\n");
    assertThat(root.entries().get(1).value()).isEqualTo(root.entries().get(0).value());
  }

  @Test
  void quotesAreRemembered() {
    YamlNode.Mapping root = mapping("a: 8\nb: '8'\nc: ~\nd: '~'\n");
    assertThat(root.entries())
        .extracting(e -> ((YamlNode.Scalar) e.value()).plain())
        .containsExactly(true, false, true, false);
    assertThat(root.entries())
        .extracting(e -> ((YamlNode.Scalar) e.value()).isNull())
        .containsExactly(false, false, true, false);
  }

  @Test
  void documentsThatAreNone() {
    refused("", "x.yaml: found an empty document, expected a mapping of keys and values");
    refused(
        "# only a comment\n",
        "x.yaml: found an empty document, expected a mapping of keys and values");
    refused(
        "a: 1\n---\nb: 2\n", "x.yaml:2: found a second document, expected one document in a file");
  }

  @Test
  void malformedText() {
    refused("a:\n\tb: 1\n", "x.yaml:2: found a tab in column 1, expected spaces");
    refused(
        "a: {b: [c]\n",
        "x.yaml:2: found malformed YAML (expected ',' or '}', but got <stream end>), expected valid YAML");
    refused(
        "a: 1\nb: 'open\n",
        "x.yaml:3: found malformed YAML (found unexpected end of stream), expected valid YAML");
    refused(
        "a: 1\n b: 2\n",
        "x.yaml:2: found malformed YAML (mapping values are not allowed here), expected valid YAML");
    refused(
        "a: 1\r\nb: \u0001\r\n",
        "x.yaml:2: found the control character U+0001, expected YAML text");
    refused("a: \uD83D", "x.yaml:1: found the control character U+D83D, expected YAML text");
  }

  @Test
  void whatYamlAllowsButScenariosDoNot() {
    refused(
        "a: 1\nb: 2\na: 3\n",
        "x.yaml:3: a: found the key a second time, expected each key once (the first is in line 1)");
    refused(
        "a:\n  - b: {c: 1, c: 2}\n",
        "x.yaml:2: a[0].b.c: found the key a second time, expected each key once (the first is in line 2)");
    refused(
        "a: !!int 1\n",
        "x.yaml:1: a: found the tag \"tag:yaml.org,2002:int\", expected a value without a tag");
    refused(
        "a: !!javax.script.ScriptEngineManager []\n",
        "x.yaml:1: a: found the tag \"tag:yaml.org,2002:javax.script.ScriptEngineManager\", expected a value without a tag");
    refused(
        "b: &x {c: 1}\na:\n  <<: *x\n",
        "x.yaml:3: a.<<: found a merge key, expected keys written out");
    refused("? [a]\n: 1\n", "x.yaml:1: found a list or mapping as a key, expected a word as a key");
  }

  @Test
  void aliasesThatLeadNowhere() {
    refused(
        "a: *b\n",
        "x.yaml:1: a: found the alias *b without an anchor before it, expected &b earlier");
    refused(
        "a: &a [*a]\n",
        "x.yaml:1: a[0]: found the alias *a inside its own anchor, expected a value that does not contain itself");
  }

  @Test
  void aliasesCannotBlowUp() {
    // Nine values, then nine times nine, ...: the sixth level would hold more than 100,000.
    StringBuilder bomb = new StringBuilder("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (char name = 'b'; name <= 'k'; name++) {
      bomb.append(name).append(": &").append(name).append(" [");
      bomb.append(("*" + (char) (name - 1) + ", ").repeat(9)).append("]\n");
    }
    refused(
        bomb.toString(),
        "x.yaml:6: f[0]: found more than 100000 values with all aliases replaced, expected fewer");
  }

  @Test
  void depthIsBounded() {
    assertThatThrownBy(() -> YamlReader.parse("a: " + "[".repeat(100_000), "x.yaml"))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(
            "x.yaml:1: a"
                + "[0]".repeat(32)
                + ": found more than 32 levels, expected a flatter document");
  }

  @Test
  void filesThatAreNoText() throws IOException {
    ByteArrayOutputStream gz = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(gz)) {
      out.write("a: 1\n".getBytes(StandardCharsets.UTF_8));
    }
    refusedFile(
        gz.toByteArray(), "found a binary file (byte 0 at offset 3), expected YAML text in UTF-8");
    refusedFile(
        new byte[] {'a', ':', ' ', (byte) 0xE9},
        "found byte 0xE9 at offset 3, which is not UTF-8, expected YAML text in UTF-8");
    refusedFile(
        "a: 1\n".getBytes(StandardCharsets.UTF_16LE),
        "found a binary file (byte 0 at offset 1), expected YAML text in UTF-8");
    refusedFile(
        new byte[YamlReader.MAX_BYTES + 1],
        "found 1048577 bytes, expected a scenario of at most 1048576 bytes");
  }

  @Test
  void filesThatAreNone() {
    Path missing = folder.resolve("missing.yaml");
    assertThatThrownBy(() -> YamlReader.read(missing))
        .hasMessage(missing + ": found no such file, expected a scenario in YAML");
    assertThatThrownBy(() -> YamlReader.read(folder))
        .hasMessage(folder + ": found a folder, expected a scenario in YAML");
  }

  private static YamlNode.Mapping mapping(String yaml) {
    return (YamlNode.Mapping) YamlReader.parse(yaml, "x.yaml");
  }

  private static void refused(String yaml, String message) {
    assertThatThrownBy(() -> YamlReader.parse(yaml, "x.yaml"))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(message);
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("x.yaml"), bytes);
  }

  private void refusedFile(byte[] bytes, String message) throws IOException {
    Path file = file(bytes);
    assertThatThrownBy(() -> YamlReader.read(file))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(file + ": " + message);
  }
}
