package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.traces.TraceException;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ServeGen's client windows: input of a generator, no trace. */
class ServeGenClientTest {
  private static final String WINDOWS = "0,0.5,1.2,Gamma,0.7,2.9\n600,0.25,1.0,,,\n";
  private static final String LENGTHS =
      "{\"0\": {\"input_tokens\": \"{143: 0.25, 150: 0.75}\", \"output_tokens\": \"{7: 1.0}\"},"
          + " \"21600\": {\"input_tokens\": \"{9: 1}\"}}";

  @TempDir Path folder;

  @Tag("report-python-dicts")
  @Test
  void readsWindowsAndPythonDicts() throws IOException {
    ServeGenClient client = read(WINDOWS, LENGTHS);

    assertThat(client.windows()).hasSize(2);
    assertThat(client.windows().get(0))
        .isEqualTo(new ServeGenClient.Window(0, 0.5, 1.2, "Gamma", 0.7, 2.9));
    assertThat(client.windows().get(1).pattern()).isEmpty();
    assertThat(client.windows().get(1).first()).isNaN();
    assertThat(client.lengths().get(0L).get("input_tokens")).containsEntry(150, 0.75);
    assertThat(client.lengths().floorEntry(30_000L).getValue().get("input_tokens"))
        .containsOnlyKeys(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,0.5,1.2,Gamma,0.7|:1: row: found 5 fields, expected 6 fields, no header",
        "0,x,1.2,Gamma,0.7,2|:1: rate: found \"x\", expected a number of at least 0",
        "0,NaN,1.2,Gamma,0.7,2|:1: rate: found \"NaN\", expected a number of at least 0",
        "0,1,1.2,Gauss,0.7,2|:1: pattern: found \"Gauss\", expected Gamma, Weibull or nothing",
        "0,1,1.2,Gamma,0,2|:1: first parameter: found \"0\", expected a number above 0",
        "0,1,1.2,Gamma,,2|:1: first parameter: found \"\", expected a number of at least 0"
      })
  void windowsThatMakeNoSense(String line, String message) {
    assertThatThrownBy(() -> read(line, LENGTHS))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"0\": {\"input_tokens\": \"143: 0.25\"}}|input_tokens: found \"143: 0.25\", expected a dict, {143: 0.0001, ...}",
        "{\"0\": {\"input_tokens\": \"{1.5: 0.25}\"}}|input_tokens: found \"1.5: 0.25\", expected a whole number and its probability",
        "{\"0\": 5}|dataset: found value_number_int, expected windows, each with texts of distributions",
        "{\"0\"|dataset: found text that is not JSON, expected windows of distributions"
      })
  void lengthsThatMakeNoSense(String text, String message) {
    assertThatThrownBy(() -> read(WINDOWS, text))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith(message);
  }

  @Test
  void isNoTrace() throws IOException {
    Path file = Files.writeString(folder.resolve("trace.csv"), WINDOWS);
    assertThatThrownBy(() -> TraceReaders.read(file))
        .hasMessage(
            file
                + ":1: trace format: found a table without a header, such as ServeGen's windows, expected requests: a"
                + " header and rows, or JSON objects (clients of ServeGen: orrery trace synthesize"
                + " --servegen)");
  }

  private ServeGenClient read(String windows, String lengths) throws IOException {
    return ServeGenClient.read(
        Files.writeString(folder.resolve("trace.csv"), windows),
        Files.writeString(folder.resolve("dataset.json"), lengths));
  }
}
