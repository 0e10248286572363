package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code orrery trace} does with a trace of 40 requests in 10 sessions. */
class TraceCommandsTest {
  @TempDir Path folder;

  private String small = "";

  @BeforeEach
  void write() throws IOException {
    small = SmallTrace.write(folder.resolve("small.jsonl")).toString();
  }

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  private static JsonNode json(Outcome outcome) throws IOException {
    return new ObjectMapper().readTree(outcome.succeeded().out());
  }

  @Test
  void statsAreATableOfAtMostAHundredColumns() {
    Outcome outcome = Orrery.run("trace", "stats", small, "--block-size", "64").succeeded();

    assertThat(outcome.out())
        .startsWith("small.jsonl: mooncake, 40 requests in 10 sessions, over ")
        .contains("input tokens", "resent tokens of a turn", "between sessions", "routing can add");
    assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void statsAsJsonHaveAVersion() throws IOException {
    JsonNode stats = json(Orrery.run("trace", "stats", small, "--block-size", "64", "--json"));

    assertThat(stats.at("/schemaVersion").intValue()).isEqualTo(1);
    assertThat(stats.at("/format").textValue()).isEqualTo("mooncake");
    assertThat(stats.at("/requests").intValue()).isEqualTo(40);
    assertThat(stats.at("/sessions").intValue()).isEqualTo(10);
    assertThat(stats.at("/distributions/turns/max").intValue()).isEqualTo(4);
    assertThat(stats.at("/distributions/inter_arrival_s/p50").doubleValue()).isEqualTo(0.07);
    assertThat(stats.at("/distributions/other_wait_s/mean").doubleValue()).isEqualTo(0.04);
    assertThat(stats.at("/routing/by_workers/2/workers").intValue()).isEqualTo(8);
    double atBest = stats.at("/reuse/share").doubleValue();
    double atRandom = stats.at("/routing/by_workers/2/random_share").doubleValue();
    assertThat(stats.at("/routing/by_workers/2/upside_share").doubleValue())
        .isCloseTo(atBest - atRandom, org.assertj.core.api.Assertions.within(1e-8));
    assertThat(stats.at("/reuse/by_time_kept/8/kept_s").isNull()).isTrue();
  }

  @Test
  void statsOfATraceWithoutBlocksSayThatHitRatesAreUnknown() throws IOException {
    Path azure = folder.resolve("azure.csv");
    Files.writeString(
        azure,
        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
            + "2023-11-16 18:17:03.9799600,4808,10\n"
            + "2023-11-16 18:17:04.0319600,3180,8\n");

    assertThat(Orrery.run("trace", "stats", azure.toString()).succeeded().out())
        .contains("neither are hit rates")
        .doesNotContain("found");
    JsonNode stats = json(Orrery.run("trace", "stats", azure.toString(), "--json"));
    assertThat(stats.get("reuse").isNull()).isTrue();
    assertThat(stats.get("routing").isNull()).isTrue();
  }

  @Test
  void statsSayWhereStartsStandOnTicks() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      rows.append("{\"timestamp\":")
          .append(i / 10 * 3000)
          .append(",\"input_length\":100,\"output_length\":5,\"hash_ids\":[")
          .append(i)
          .append("]}\n");
    }
    Path ticks = Files.writeString(folder.resolve("ticks.jsonl"), rows);

    assertThat(Orrery.run("trace", "stats", ticks.toString()).succeeded().out())
        .contains("Most of them start at the time of\nanother");
    assertThat(Orrery.run("trace", "stats", small, "--block-size", "64").succeeded().out())
        .doesNotContain("at the time of another");
  }

  @Test
  void statsAreAPage() throws IOException {
    Orrery.run("trace", "stats", small, "--block-size", "64", "--html", in("stats.html"))
        .succeeded();

    assertThat(Files.readString(folder.resolve("stats.html")))
        .startsWith("<!DOCTYPE html>")
        .contains("What routing can change", "Input found in a cache of any size", "Working set")
        .contains("SHA-256")
        .doesNotContain("src=\"http", "NaN");
  }

  @Test
  void validateNamesEveryFindingWithItsPlace() throws IOException {
    String text = Files.readString(Path.of(small));
    Path bad = folder.resolve("bad.jsonl");
    Files.writeString(
        bad,
        text
            + "{\"timestamp\": \"soon\", \"input_length\": 64, \"output_length\": 1}\n"
            + "{\"timestamp\": 5, \"input_length\": 0, \"output_length\": 1}\n"
            + "{\"timestamp\": 6, \"input_length\": 64, \"output_length\": 0, \"hash_ids\": [1]}\n");

    Outcome outcome = Orrery.run("trace", "validate", bad.toString(), "--block-size", "64");

    assertThat(outcome.status()).isEqualTo(3);
    String unwrapped = outcome.out().replace("\n  ", " ");
    assertThat(unwrapped)
        .contains("error: " + bad + ":41:timestamp: found the string \"soon\"")
        .contains("error: " + bad + ":42:input_length: found 0")
        .contains("warning: " + bad + ":43: requests without output, replayed as one token")
        .contains("mooncake, 41 requests in 11 sessions: 2 errors, ");
  }

  @Test
  void strictRefusesWarningsAndPlainDoesNot() throws IOException {
    Path odd = folder.resolve("odd.jsonl");
    Files.writeString(odd, "{\"timestamp\": 6, \"input_length\": 64, \"output_length\": 0}\n");

    assertThat(Orrery.run("trace", "validate", odd.toString()).status()).isZero();
    assertThat(Orrery.run("trace", "validate", odd.toString(), "--strict").status()).isEqualTo(1);
    assertThat(Orrery.run("trace", "validate", in("nowhere")).status()).isEqualTo(3);
    JsonNode document = json(Orrery.run("trace", "validate", odd.toString(), "--json"));
    assertThat(document.at("/errors").intValue()).isZero();
    assertThat(document.at("/warnings").intValue()).isPositive();
    assertThat(document.at("/findings/0/line").intValue()).isEqualTo(1);
  }

  @Test
  void badRecordsAreKeptAsideAndCounted() throws IOException {
    Path bad = folder.resolve("bad.jsonl");
    String broken = "{\"timestamp\": -5, \"input_length\": 64, \"output_length\": 1}";
    Files.writeString(bad, Files.readString(Path.of(small)) + broken + "\n");

    Outcome outcome =
        Orrery.run(
            "trace",
            "convert",
            bad.toString(),
            "--block-size",
            "64",
            "--quarantine",
            in("aside"),
            "-o",
            in("good.parquet"));

    assertThat(outcome.succeeded().err()).contains("1 record kept aside in " + in("aside"));
    JsonNode aside = new ObjectMapper().readTree(Files.readString(folder.resolve("aside")));
    assertThat(aside.get("line").intValue()).isEqualTo(41);
    assertThat(aside.get("text").textValue()).isEqualTo(broken);
    assertThat(aside.get("why").textValue()).contains("timestamp");
    Trace good = TraceReaders.read(folder.resolve("good.parquet"));
    assertThat(good.requestCount()).isEqualTo(40);
    assertThat(good.provenance().counters())
        .containsEntry("records left out because they cannot be read", 1L);
    String[] validate = {
      "trace", "validate", bad.toString(), "--block-size", "64", "--quarantine", in("aside")
    };
    assertThat(Orrery.run(validate).status()).isZero();
  }

  @Test
  void convertSaysWhatIsLost() {
    Outcome kept =
        Orrery.run("trace", "convert", small, "--block-size", "64", "-o", in("t.parquet"));
    Outcome lost = Orrery.run("trace", "convert", in("t.parquet"), "--to", "weka", "-o", in("w"));

    assertThat(kept.succeeded().err())
        .contains("wrote " + in("t.parquet") + " (orrery): 40 requests in 10 sessions")
        .doesNotContain("Lost");
    assertThat(lost.succeeded().err()).contains("Lost: ");
    Outcome refused =
        Orrery.run(
            "trace", "convert", in("t.parquet"), "--to", "weka", "--no-losses", "-o", in("no"));
    assertThat(refused.status()).isEqualTo(2);
    assertThat(folder.resolve("no")).doesNotExist();
  }

  @Test
  void convertRefusesWhatCannotBeWritten() {
    assertThat(Orrery.run("trace", "convert", small, "--to", "azure", "-o", in("x")).err())
        .contains("--to: found azure, expected a format that can be written: ");
    assertThat(Orrery.run("trace", "convert", small, "--to", "wekka", "-o", in("x")).err())
        .contains("did you mean weka?");
    assertThat(Orrery.run("trace", "convert", small, "-o", in("no/such/x")).status()).isEqualTo(2);
    assertThat(Orrery.run("trace", "convert", small).status()).isEqualTo(2);
    assertThat(folder.resolve("x")).doesNotExist();
  }

  @Test
  void headShowsRequestsAsTheyAreUnderstood() throws IOException {
    Outcome outcome = Orrery.run("trace", "head", small, "--block-size", "64", "-n", "3");

    assertThat(outcome.succeeded().out().lines()).hasSize(4);
    JsonNode head =
        json(Orrery.run("trace", "head", small, "--block-size", "64", "-n", "40", "--json"));
    assertThat(head.at("/requests").intValue()).isEqualTo(40);
    assertThat(head.at("/head").size()).isEqualTo(40);
    assertThat(head.at("/head/0/input_tokens").intValue()).isEqualTo(64 * 4 - 7);
    assertThat(Orrery.run("trace", "head", small, "-n", "0").status()).isEqualTo(2);
  }

  @Test
  void sampleWritesWholeSessions() {
    Orrery.run(
            "trace",
            "sample",
            small,
            "--block-size",
            "64",
            "--sessions",
            "3",
            "-o",
            in("s.parquet"))
        .succeeded();
    Orrery.run(
            "trace", "sample", small, "--block-size", "64", "--share", "0.5", "-o", in("h.parquet"))
        .succeeded();

    Trace three = TraceReaders.read(folder.resolve("s.parquet"));
    assertThat(three.sessionCount()).isEqualTo(3);
    assertThat(three.requestCount()).isEqualTo(12);
    assertThat(three.provenance().notes()).contains("Sampled: 3 of 10 root sessions, seed 1.");
    assertThat(TraceReaders.read(folder.resolve("h.parquet")).sessionCount()).isEqualTo(5);
    assertThat(Orrery.run("trace", "sample", small, "-o", in("x")).status()).isEqualTo(2);
    assertThat(Orrery.run("trace", "sample", small, "--share", "2", "-o", in("x")).status())
        .isEqualTo(2);
  }

  @Test
  void mergeShiftAndScale() {
    String[] size = {"--block-size", "64"};
    run("trace", "shift", small, size[0], size[1], "--by", "10s", "-o", in("later.parquet"));
    run("trace", "convert", small, size[0], size[1], "-o", in("now.parquet"));
    run("trace", "merge", in("now.parquet"), in("later.parquet"), "-o", in("both.parquet"));
    run("trace", "scale", in("both.parquet"), "--load", "2", "-o", in("dense.parquet"));

    Trace both = TraceReaders.read(folder.resolve("both.parquet"));
    assertThat(both.sessionCount()).isEqualTo(20);
    assertThat(both.sessionId(19)).isEqualTo("2:s9");
    assertThat(both.arrivalNanos(both.firstRequest(10))).isEqualTo(10_000_000_000L);
    Trace dense = TraceReaders.read(folder.resolve("dense.parquet"));
    assertThat(dense.arrivalNanos(dense.firstRequest(10))).isEqualTo(5_000_000_000L);
    run("trace", "convert", "traces/quickstart.jsonl.gz", "--unchecked", "-o", in("q.parquet"));
    assertThat(
            Orrery.run("trace", "merge", in("q.parquet"), in("now.parquet"), "-o", in("x")).err())
        .contains("merge: found blocks of 128 and of 64 tokens");
    assertThat(Orrery.run("trace", "shift", small, "--by", "soon", "-o", in("x.parquet")).err())
        .contains("--by: found soon, expected a duration");
    assertThat(Orrery.run("trace", "scale", small, "--load", "0", "-o", in("x.jsonl")).status())
        .isEqualTo(2);
  }

  @Test
  void aShiftThatTheFormatDoesNotKeepIsNamed() {
    String[] shift = {
      "trace",
      "shift",
      small,
      "--block-size",
      "64",
      "--by",
      "10s",
      "--to",
      "mooncake",
      "-o",
      in("m")
    };

    assertThat(Orrery.run(shift).succeeded().err())
        .contains("only orrery (Parquet) keeps the shift")
        .contains("blocks of 64 tokens: read it with trace.blockSize 64, or --block-size 64");
    TraceOptions blocks = TraceOptions.defaults().withBlockSize(64);
    assertThat(TraceReaders.read(List.of(folder.resolve("m")), blocks).arrivalNanos(0)).isZero();
    shift[shift.length - 1] = in("p.parquet");
    shift[shift.length - 3] = "orrery";
    assertThat(Orrery.run(shift).succeeded().err()).doesNotContain("keeps the shift");
  }

  /** The logs of agents are no traces, but something can be made of them. */
  @Test
  void anAgentsLogIsToldAndTheWayNamed() throws IOException {
    String claude =
        "{\"parentUuid\":null,\"isSidechain\":false,\"sessionId\":\"s\",\"type\":\"user\"}\n";
    String codex =
        "{\"timestamp\":\"2026-03-02T09:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n";
    String pi =
        "{\"type\":\"session\",\"version\":3,\"id\":\"x\",\"timestamp\":\"2026-03-02T09:00:00Z\",\"cwd\":\"/\"}\n";
    for (String log : List.of(claude, codex, pi)) {
      Files.writeString(folder.resolve("log.jsonl"), log);
      assertThat(Orrery.run("trace", "stats", in("log.jsonl")).err())
          .contains("orrery trace import");
    }
  }

  @Test
  void anonymisedTracesReplayAlike() {
    run("trace", "convert", small, "--block-size", "64", "-o", in("t.parquet"));
    run("trace", "anonymise", in("t.parquet"), "--salt", "s", "-o", in("a.parquet"));

    Trace before = TraceReaders.read(folder.resolve("t.parquet"));
    Trace after = TraceReaders.read(folder.resolve("a.parquet"));
    assertThat(after.sessionId(0)).startsWith("session-").hasSize("session-".length() + 16);
    assertThat(after.inputTokens(7)).isEqualTo(before.inputTokens(7));
    assertThat(after.blockCount()).isEqualTo(before.blockCount());
    assertThat(after.provenance().files()).noneMatch(file -> file.name().contains("small"));
  }

  @Test
  void importReadsAnAgentsLogs() throws IOException {
    Path log = folder.resolve("logs/session.jsonl");
    Files.createDirectories(folder.resolve("logs"));
    Files.writeString(
        log,
        """
        {"type":"session","version":3,"id":"mine","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/me"}
        {"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:00:05.000Z","message":{"role":"assistant","content":[],"model":"m","usage":{"input":10,"output":20,"cacheRead":0,"cacheWrite":990},"stopReason":"stop","timestamp":1772442000000}}
        {"type":"mess""");

    Outcome outcome =
        Orrery.run("trace", "import", "pi", in("logs"), "--salt", "s", "-o", in("mine.parquet"));

    assertThat(outcome.succeeded().err())
        .contains("last lines that were cut off, left out: 1, first at " + log + ":3")
        .contains("wrote " + in("mine.parquet") + " (orrery): 1 request in 1 session");
    Trace trace = TraceReaders.read(folder.resolve("mine.parquet"));
    assertThat(trace.inputTokens(0)).isEqualTo(1_000);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(5_000_000_000L);
    Outcome unknown = Orrery.run("trace", "import", "claude", in("logs"), "-o", in("x.parquet"));
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("expected one of claude-code, codex, opencode, pi");
    assertThat(Orrery.run("trace", "import", "codex", in("logs"), "-o", in("x.parquet")).status())
        .isEqualTo(3);
    assertThat(folder.resolve("x.parquet")).doesNotExist();
  }

  @Test
  void synthesizeLikeATraceSaysHowAlikeTheyAre() throws IOException {
    run("trace", "convert", small, "--block-size", "64", "-o", in("t.parquet"));
    String[] like = {
      "trace",
      "synthesize",
      "--like",
      in("t.parquet"),
      "-o",
      in("made.parquet"),
      "--save-profile",
      in("profile.json")
    };

    Outcome text = Orrery.run(like).succeeded();
    assertThat(text.out()).contains("KS distance", "input tokens", "Hit curves are ");
    assertThat(text.err()).contains("wrote " + in("made.parquet") + " (orrery): 40 requests");
    byte[] first = Files.readAllBytes(folder.resolve("made.parquet"));
    JsonNode quality =
        json(
            Orrery.run(
                "trace",
                "synthesize",
                "--like",
                in("t.parquet"),
                "-o",
                in("made.parquet"),
                "--json"));
    assertThat(quality.at("/kolmogorov_smirnov/turns").doubleValue()).isZero();
    assertThat(quality.at("/kolmogorov_smirnov/input_tokens").doubleValue()).isBetween(0.0, 0.3);
    assertThat(quality.at("/hit_curve_distance_max").doubleValue()).isBetween(0.0, 0.2);
    assertThat(Files.readAllBytes(folder.resolve("made.parquet"))).isEqualTo(first);
    run(
        "trace",
        "synthesize",
        "--profile",
        in("profile.json"),
        "--sessions",
        "7",
        "--rate",
        "2",
        "--burstiness",
        "2",
        "--diurnal",
        "0.5",
        "-o",
        in("seven.parquet"));
    assertThat(TraceReaders.read(folder.resolve("seven.parquet")).sessionCount()).isEqualTo(7);
  }

  @Test
  void synthesizeDrawsFromClientsOfServeGen() {
    String clients = "traces/samples/servegen";
    run("trace", "synthesize", "--servegen", clients, "--requests", "300", "-o", in("s.parquet"));

    Trace trace = TraceReaders.read(folder.resolve("s.parquet"));
    assertThat(trace.requestCount()).isEqualTo(300);
    assertThat(trace.blocksKnown()).isFalse();
    Outcome both =
        Orrery.run(
            "trace",
            "synthesize",
            "--servegen",
            clients,
            "--profile",
            "chat",
            "-o",
            in("no.parquet"));
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("expected one of --profile, --like and --servegen");
    assertThat(
            Orrery.run("trace", "synthesize", "--servegen", in("nowhere"), "-o", in("no.parquet"))
                .status())
        .isEqualTo(3);
    assertThat(folder.resolve("no.parquet")).doesNotExist();
  }

  @Test
  void synthesizeRefusesWhatCannotBe() throws IOException {
    Files.writeString(folder.resolve("p.json"), "{}");
    String[][] wrong = {
      {"--sessions", "5"},
      {"--profile", "chat"},
      {"--profile", "chatt", "--sessions", "5"},
      {"--profile", in("p.json"), "--sessions", "5"},
      {"--profile", "chat", "--like", small, "--sessions", "5"},
      {"--servegen", "traces/samples/servegen", "--sessions", "5"},
      {"--servegen", "traces/samples/servegen", "--rate", "1", "--diurnal", "0.5"},
      {"--profile", "chat", "--sessions", "0"},
      {"--profile", "chat", "--sessions", "5", "--rate", "0"},
      {"--profile", "chat", "--sessions", "5", "--diurnal", "0.5"},
      {"--profile", "chat", "--sessions", "5", "--rate", "1", "--burstiness", "0.5"},
    };
    for (String[] options : wrong) {
      List<String> args = new ArrayList<>(List.of("trace", "synthesize", "-o", in("no.parquet")));
      args.addAll(List.of(options));
      Outcome outcome = Orrery.run(args.toArray(new String[0]));
      assertThat(outcome.status()).as(String.join(" ", options)).isEqualTo(2);
      assertThat(outcome.err()).hasLineCount(1);
    }
    assertThat(folder.resolve("no.parquet")).doesNotExist();
  }

  @Test
  void withoutASubcommandItSaysWhatIsMissing() {
    assertThat(Orrery.run("trace").status()).isEqualTo(2);
    assertThat(Orrery.run("trace", "stat").status()).isEqualTo(2);
    assertThat(Orrery.run("trace", "stats").status()).isEqualTo(2);
  }

  private static void run(String... args) {
    Orrery.run(args).succeeded();
  }
}
