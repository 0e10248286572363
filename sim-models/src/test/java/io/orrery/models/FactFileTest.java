package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FactFileTest {
  private static Map<String, FactSheet> read(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return FactFile.read("test.json", new ByteArrayInputStream(bytes));
  }

  @Test
  void everyValueHasItsOwnOrTheEntrysSource() {
    FactSheet sheet =
        read("{\"h1\": {\"source\": \"datasheet\", \"a\": 7, \"b\": {\"value\": 1e3, \"source\": \"measured\"}}}")
            .get("h1");

    assertThat(sheet.count("a")).isEqualTo(7);
    assertThat(sheet.number("b")).isEqualTo(1000);
    assertThat(sheet.sources())
        .containsExactly(Map.entry("a", "datasheet"), Map.entry("b", "measured"));
    assertThat(sheet.lowConfidenceNotes()).isEmpty();
    sheet.finish();
  }

  @Test
  void assumedValuesSurfaceAsNotes() {
    FactSheet sheet =
        read("{\"h1\": {\"notes\": [\"never measured\"], \"a\": {\"value\": 7, \"source\":"
                + " \"as h0\", \"confidence\": \"low\", \"note\": \"assumed\"}}}")
            .get("h1");

    assertThat(sheet.lowConfidenceNotes())
        .containsExactly(
            "h1: low confidence: never measured", "h1: low confidence: a = 7 is assumed (as h0)");
  }

  @Test
  void whatNobodyReadsIsAnError() {
    FactSheet sheet =
        read("{\n\"h1\": {\"source\": \"s\",\n\"memory\": 7, \"memery\": 8}}").get("h1");
    sheet.count("memory");
    assertThatThrownBy(sheet::finish)
        .isInstanceOf(CatalogException.class)
        .hasMessage("test.json:3: h1: unknown field 'memery', nearest: memory, known: memory");
  }

  @Test
  void wrongValuesNameFileLineFieldAndExpectation() {
    FactSheet sheet =
        read("{\"h1\": {\"source\": \"s\",\n\"a\": \"7\",\n\"b\": -1,\n\"c\": 1.5, \"d\": 9e9, \"e\": null}}")
            .get("h1");

    assertThatThrownBy(() -> sheet.count("a"))
        .hasMessage("test.json:2: h1.a: found 7, expected a whole number");
    assertThatThrownBy(() -> sheet.number("b"))
        .hasMessage("test.json:3: h1.b: found -1, expected at least 0");
    assertThat(sheet.signedNumber("b")).isEqualTo(-1);
    assertThatThrownBy(() -> sheet.count("c"))
        .hasMessage("test.json:4: h1.c: found 1.5, expected a whole number");
    assertThatThrownBy(() -> sheet.count("d"))
        .hasMessage("test.json:4: h1.d: found 9000000000, expected at most 2147483647");
    assertThat(sheet.numberOrNone("e")).isZero();
    assertThatThrownBy(() -> sheet.flag("e")).hasMessageContaining("expected true or false");
    assertThatThrownBy(() -> sheet.text("f")).hasMessage("test.json:1: h1: missing field f");
  }

  @Test
  void malformedFilesAreErrors() {
    assertThatThrownBy(() -> read("{\"h1\": {\n\"a\": 7}}"))
        .hasMessage("test.json:2: h1.a has no source");
    assertThatThrownBy(() -> read("{\"h1\": {\"a\": {\"source\": \"s\"}}}"))
        .hasMessage("test.json:1: a fact without a value");
    assertThatThrownBy(() -> read("{\"h1\": {\"a\": {\"value\": 1, \"sourc\": \"s\"}}}"))
        .hasMessageContaining("unknown key 'sourc', nearest: source");
    assertThatThrownBy(
            () ->
                read(
                    "{\"h1\": {\"a\": {\"value\": 1, \"source\": \"s\", \"confidence\": \"high\"}}}"))
        .hasMessageContaining("found confidence 'high', expected 'low'");
    assertThatThrownBy(
            () ->
                read(
                    "{\"h1\": {\"a\": {\"value\": 1, \"source\": \"s\", \"confidence\": \"low\"}}}"))
        .hasMessageContaining("without a note that says why");
    assertThatThrownBy(() -> read("{\"h1\": {}, \"h1\": {}}"))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("Duplicate");
    assertThatThrownBy(() -> read("[]"))
        .hasMessageContaining("expected an object of named entries");
    assertThatThrownBy(() -> read("{} {}")).hasMessageContaining("text after the end");
    assertThatThrownBy(() -> read("{\"h1\": {")).isInstanceOf(CatalogException.class);
  }
}
