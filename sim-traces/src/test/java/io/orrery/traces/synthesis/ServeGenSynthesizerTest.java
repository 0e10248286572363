package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests drawn from the windows of ServeGen's clients. */
class ServeGenSynthesizerTest {
  private static final String LENGTHS =
      "{\"0\": {\"input_tokens\": \"{100: 0.25, 200: 0.75}\", \"output_tokens\": \"{7: 1.0}\"},"
          + " \"7200\": {\"input_tokens\": \"{9: 1}\", \"output_tokens\": \"{0: 1}\"}}";

  @TempDir Path folder;
  private Path profile;

  @BeforeEach
  void makeFolder() throws IOException {
    profile = Files.createDirectories(folder.resolve("language/m-large"));
  }

  private void client(int number, String windows, String lengths) throws IOException {
    Files.writeString(profile.resolve("chunk-" + number + "-trace.csv"), windows);
    Files.writeString(profile.resolve("chunk-" + number + "-dataset.json"), lengths);
  }

  private Trace drawn(double rate, int most) {
    Path file = folder.resolve("drawn.parquet");
    List<ServeGenClient> clients = ServeGenPool.read(List.of(folder));
    new ServeGenSynthesizer(clients, rate, 5).write(file, most);
    return TraceReaders.read(file);
  }

  private static int between(Trace trace, double from, double to) {
    int count = 0;
    for (int r = 0; r < trace.requestCount(); r++) {
      double seconds = trace.arrivalNanos(r) / 1e9;
      count += seconds >= from && seconds < to ? 1 : 0;
    }
    return count;
  }

  /** Two hours at 1/s, one of silence, one at 4/s; lengths change after two hours. */
  @Test
  void windowsHaveTheirRatesAndLengths() throws IOException {
    client(1, "0,1,1,,,\n7200,0,0,,,\n10800,4,1,,,\n", LENGTHS);

    Trace trace = drawn(0, Integer.MAX_VALUE);

    assertThat(trace.sharedClock()).isTrue();
    assertThat(trace.blocksKnown()).isFalse();
    assertThat(trace.sessionCount()).isEqualTo(trace.requestCount());
    // Poisson: three standard deviations of 7,200 are 255, of 14,400 360
    assertThat(between(trace, 0, 7200)).isCloseTo(7200, within(255));
    assertThat(between(trace, 7210, 10_790)).isZero();
    assertThat(between(trace, 10_790, 15_000)).isCloseTo(14_400, within(360));
    int hundred = 0;
    for (int r = 0; r < trace.requestCount(); r++) {
      if (trace.arrivalNanos(r) < 7_190e9) {
        assertThat(trace.inputTokens(r)).isIn(100, 200);
        assertThat(trace.outputTokens(r)).isEqualTo(7);
        hundred += trace.inputTokens(r) == 100 ? 1 : 0;
      } else if (trace.arrivalNanos(r) > 7_210e9) {
        assertThat(trace.inputTokens(r)).isEqualTo(9);
        assertThat(trace.outputTokens(r)).as("0 is replayed as 1").isEqualTo(1);
      }
    }
    assertThat(hundred / 7200.0).isCloseTo(0.25, within(0.03));
  }

  /** A gamma of shape 1/4 varies by 2; a Weibull of shape 1.45 and scale 2.205 by 0.7, mean 2. */
  @Test
  void gapsVaryAsTheirWindowsSay() throws IOException {
    client(1, "0,0.5,2,Gamma,0.25,8\n40000,0.5,2,Gamma,0.25,8\n", LENGTHS);
    double[] gamma = gaps(drawn(0, 20_000));
    client(1, "0,0.5,0.7,Weibull,1.45,2.205\n40000,0.5,0.7,Weibull,1.45,2.205\n", LENGTHS);
    double[] weibull = gaps(drawn(0, 20_000));

    assertThat(gamma[0]).isCloseTo(2, within(0.1));
    assertThat(gamma[1]).isCloseTo(2, within(0.1));
    assertThat(weibull[0]).isCloseTo(2, within(0.05));
    assertThat(weibull[1]).isCloseTo(0.7, within(0.03));
  }

  /** Mean and coefficient of variation, s. */
  private static double[] gaps(Trace trace) {
    int n = trace.requestCount() - 1;
    double sum = 0;
    double squares = 0;
    for (int r = 1; r <= n; r++) {
      double gap = (trace.arrivalNanos(r) - trace.arrivalNanos(r - 1)) / 1e9;
      sum += gap;
      squares += gap * gap;
    }
    double mean = sum / n;
    return new double[] {mean, Math.sqrt(squares / n - mean * mean) / mean};
  }

  /** One request in two hours and a half is expected, whatever windows of ten minutes cut. */
  @Test
  void rareRequestsKeepTheirRate() throws IOException {
    StringBuilder windows = new StringBuilder();
    for (int w = 0; w < 6_000; w++) {
      windows.append(600 * w).append(",0.0001,1,,,\n");
    }
    client(1, windows.toString(), LENGTHS);

    assertThat(drawn(0, Integer.MAX_VALUE).requestCount()).isCloseTo(360, within(60));
  }

  @Test
  void clientsAreMergedByTimeAndScaledTogether() throws IOException {
    client(1, "0,1,1,,,\n600,1,1,,,\n", LENGTHS);
    client(2, "0,3,1,,,\n600,3,1,,,\n", LENGTHS);

    Trace trace = drawn(20, Integer.MAX_VALUE);

    assertThat(trace.requestCount()).isCloseTo(20 * 1200, within(500));
    for (int r = 1; r < trace.requestCount(); r++) {
      assertThat(trace.arrivalNanos(r)).isGreaterThanOrEqualTo(trace.arrivalNanos(r - 1));
    }
    assertThat(drawn(20, 100).requestCount()).isEqualTo(100);
    assertThat(drawn(20, 100).digest()).isEqualTo(drawn(20, 100).digest());
    assertThat(trace.provenance().notes())
        .contains("Synthesized, seed 5, from 2 clients of ServeGen.");
  }

  @Test
  void whatIsNoPoolOfClients() throws IOException {
    assertThatThrownBy(() -> drawn(0, 9)).hasMessageContaining("found no client, expected files");
    Files.writeString(profile.resolve("chunk-1-trace.csv"), "0,1,1,,,\n");
    assertThatThrownBy(() -> drawn(0, 9))
        .hasMessageContaining("found no chunk-1-dataset.json beside it, expected both files");
    client(1, "0,1,1,,,\n", "{\"0\": {\"input_tokens\": \"{9: 1}\"}}");
    assertThatThrownBy(() -> drawn(0, 9))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("dataset.output_tokens: found only input_tokens");
    client(1, "0,0,0,,,\n", LENGTHS);
    assertThatThrownBy(() -> drawn(0, 9)).hasMessageContaining("rate: found 0 in all windows");
    client(1, "600,1,0,,,\n0,1,0,,,\n", LENGTHS);
    assertThatThrownBy(() -> drawn(0, 9))
        .hasMessageContaining(":2: start: found 0.0, expected a start after the one before");
    client(1, "0,1,1,,,\n", "{}");
    assertThatThrownBy(() -> drawn(0, 9)).hasMessageContaining("dataset: found no window");
    assertThat(folder.resolve("drawn.parquet")).doesNotExist();
  }
}
