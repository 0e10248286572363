package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What run --timeline writes, read by a parser of the Trace Event Format. */
class TimelineTest {
  @TempDir Path folder;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    Path file = folder.resolve("two.yaml");
    Files.writeString(
        file,
        """
        trace: {files: small.jsonl, blockSize: 64}
        cluster: {pools: [{workers: 2}]}
        engine: {blockSize: 64, kvBlocks: 60}
        variants:
          - {name: turns, set: {routing.policy: round-robin}}
          - {name: held, set: {admission.policy: max-concurrency, admission.limit: 2}}
        """);
    scenario = file.toString();
  }

  private JsonNode events(String name, String... options) throws IOException {
    Path file = folder.resolve(name);
    List<String> command = new ArrayList<>(List.of("run", scenario, "--json"));
    command.addAll(List.of("--timeline", file.toString()));
    command.addAll(List.of(options));
    Orrery.run(command.toArray(new String[0])).succeeded();
    try (InputStream in = Files.newInputStream(file);
        InputStream text = name.endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return new ObjectMapper().readTree(text).get("traceEvents");
    }
  }

  private static List<JsonNode> of(JsonNode events, String phase) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode event : events) {
      if (event.get("ph").asText().equals(phase)) {
        found.add(event);
      }
    }
    return found;
  }

  private static BigDecimal number(JsonNode event, String field) {
    return new BigDecimal(event.get(field).asText());
  }

  @Test
  void stepsOfAWorkerFollowEachOtherAndSayWhatTheyCompute() throws IOException {
    JsonNode events = events("timeline.json");
    Map<Integer, BigDecimal> ended = new HashMap<>();
    long prefilled = 0;
    List<JsonNode> steps = of(events, "X");
    for (JsonNode step : steps) {
      int process = step.get("pid").asInt();
      BigDecimal began = number(step, "ts");
      assertThat(began).isGreaterThanOrEqualTo(ended.getOrDefault(process, BigDecimal.ZERO));
      ended.put(process, began.add(number(step, "dur")));
      JsonNode batch = step.get("args");
      assertThat(batch.get("decodes").asInt() + batch.get("prefills").asInt()).isPositive();
      prefilled += batch.get("prefill_tokens").asLong();
    }
    assertThat(steps).hasSizeGreaterThan(100);
    assertThat(ended).hasSize(4);
    assertThat(prefilled).isPositive();
  }

  @Test
  void spansOfARequestLieWithinEachOther() throws IOException {
    JsonNode events = events("timeline.json.gz");
    List<JsonNode> all = new ArrayList<>();
    events.forEach(all::add);
    List<JsonNode> inTime =
        all.stream()
            .filter(event -> "be".contains(event.get("ph").asText()))
            .sorted(Comparator.comparing(event -> number(event, "ts")))
            .toList();
    Map<String, Deque<String>> open = new HashMap<>();
    int requests = 0;
    for (JsonNode event : inTime) {
      Deque<String> names =
          open.computeIfAbsent(event.get("id").asText(), id -> new ArrayDeque<>());
      if (event.get("ph").asText().equals("b")) {
        requests += names.isEmpty() ? 1 : 0;
        names.push(event.get("name").asText());
      } else {
        assertThat(names.pop()).isEqualTo(event.get("name").asText());
      }
    }
    assertThat(requests).isEqualTo(80);
    assertThat(open.values()).allMatch(Deque::isEmpty);
    assertThat(of(events, "b").stream().map(event -> event.get("name").asText()))
        .contains("prefill", "decode", "host")
        .anyMatch(name -> name.startsWith("pause: "));
  }

  @Test
  void evictionsAndNamesOfTracksAreThere() throws IOException {
    JsonNode events = events("timeline.json");

    assertThat(of(events, "M").stream().map(event -> event.at("/args/name").asText()))
        .contains("turns, worker 0", "turns, worker 1", "held, worker 1", "steps");
    assertThat(of(events, "i").stream().map(event -> event.get("name").asText()))
        .contains("evicted");
  }

  @Test
  void aWindowLeavesOutWhatLiesElsewhere() throws IOException {
    List<JsonNode> whole = of(events("whole.json"), "X");
    List<JsonNode> part = of(events("part.json", "--timeline-window", "100ms..200ms"), "X");

    assertThat(part).hasSizeBetween(2, whole.size() / 2);
    for (JsonNode step : part) {
      assertThat(number(step, "ts")).isLessThanOrEqualTo(BigDecimal.valueOf(200_000));
      assertThat(number(step, "ts").add(number(step, "dur")))
          .isGreaterThanOrEqualTo(BigDecimal.valueOf(100_000));
    }
  }

  @Test
  void aSampleShowsWholeSessionsAndRunsOfStepsThatHideNothing() throws IOException {
    JsonNode whole = events("whole.json");
    JsonNode part = events("part.json", "--timeline-sample", "4");

    for (String sum : List.of("decodes", "prefills", "prefill_tokens")) {
      assertThat(total(part, "X", sum)).as(sum).isEqualTo(total(whole, "X", sum));
    }
    assertThat(total(part, "i", "blocks")).isEqualTo(total(whole, "i", "blocks"));
    assertThat(total(part, "X", "steps")).isEqualTo(of(whole, "X").size());
    assertThat(of(part, "X")).hasSizeLessThan(of(whole, "X").size() / 2);
    assertThat(of(part, "X")).allMatch(run -> run.at("/args/steps").asInt() <= 4);

    Map<String, Long> all = requestsOfSessions(whole);
    Map<String, Long> shown = requestsOfSessions(part);
    assertThat(shown).isNotEmpty().hasSizeLessThan(all.size());
    shown.forEach((session, requests) -> assertThat(requests).isEqualTo(all.get(session)));
  }

  private static long total(JsonNode events, String phase, String argument) {
    return of(events, phase).stream().mapToLong(e -> e.at("/args/" + argument).asLong()).sum();
  }

  private static Map<String, Long> requestsOfSessions(JsonNode events) {
    return of(events, "b").stream()
        .filter(event -> event.at("/args/session").isTextual())
        .collect(
            Collectors.groupingBy(
                event -> event.at("/args/session").asText(), Collectors.counting()));
  }

  @Test
  void theNumbersAreThoseOfARunWithoutATimeline() throws IOException {
    String without = Orrery.run("run", scenario, "--json").succeeded().out();
    String with =
        Orrery.run("run", scenario, "--json", "--timeline", folder.resolve("t.json").toString())
            .succeeded()
            .out();

    assertThat(with).isEqualTo(without);
  }

  @Test
  void badOptionsAreRefusedBeforeAnythingRuns() {
    assertRefused("expected a name in .json", "--timeline", folder.resolve("t.txt").toString());
    String file = folder.resolve("t.json").toString();
    assertRefused("found 5s", "--timeline", file, "--timeline-window", "5s");
    assertRefused("found 5s..2s", "--timeline", file, "--timeline-window", "5s..2s");
    assertRefused("found no --timeline", "--timeline-window", "1s..2s");
    assertRefused("found 0", "--timeline", file, "--timeline-sample", "0");
    assertRefused("found no --timeline", "--timeline-sample", "3");
    assertRefused("found --seeds 2", "--timeline", file, "--seeds", "2");
  }

  private void assertRefused(String reason, String... options) {
    List<String> command = new ArrayList<>(List.of("run", scenario));
    command.addAll(List.of(options));
    Orrery.Outcome outcome = Orrery.run(command.toArray(new String[0]));
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(reason);
    assertThat(folder.resolve("t.json")).doesNotExist();
  }

  /** As those of --decisions and --timing may, the file may lie in the folder that -o makes. */
  @Test
  void aTimelineMayLieInTheFolderOfTheResults() throws IOException {
    Path made = folder.resolve("made");
    Path timing = made.resolve("timing.json");

    JsonNode events =
        events("made/timeline.json", "-o", made.toString(), "--timing", timing.toString());

    assertThat(of(events, "X")).isNotEmpty();
    assertThat(made.resolve("summary.json")).exists();
    assertThat(timing).exists();
    String nowhere = folder.resolve("nowhere/timeline.json").toString();
    Orrery.Outcome refused = Orrery.run("run", scenario, "--timeline", nowhere);
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("expected a file in a folder that exists");
  }
}
