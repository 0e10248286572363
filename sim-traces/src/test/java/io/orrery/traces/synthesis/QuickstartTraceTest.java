package io.orrery.traces.synthesis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceStatistics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The sample trace and its description are what the synthesizer makes. With {@code
 * -Dorrery.regenerate=true} they are written first.
 */
class QuickstartTraceTest {
  private static final Path FILE = Path.of(QuickstartTrace.PATH);
  private static final Path DESCRIPTION = FILE.resolveSibling("README.md");
  private static final String BEGIN = "<!-- begin of the generated part -->\n";
  private static final String END = "<!-- end of the generated part -->\n";

  @BeforeAll
  static void regenerate() throws IOException {
    if (Boolean.getBoolean("orrery.regenerate")) {
      try (OutputStream out = Files.newOutputStream(FILE)) {
        QuickstartTrace.writeFile(out);
      }
      String text = Files.readString(DESCRIPTION);
      String before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
      String after = text.substring(text.indexOf(END));
      Files.writeString(DESCRIPTION, before + SampleDescription.text() + after);
    }
  }

  /** The lines, that is: two versions of zlib may compress them differently. */
  @Test
  void the_shipped_file_is_what_the_synthesizer_makes() throws IOException {
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    QuickstartTrace.writeLines(made);
    assertThat(shippedLines()).isEqualTo(made.toByteArray());
  }

  @Test
  void the_description_is_that_of_the_file() throws IOException {
    String text = Files.readString(DESCRIPTION);
    assertThat(text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf(END)))
        .isEqualTo(SampleDescription.text());
  }

  @Test
  void the_file_is_small_and_bears_no_date() throws IOException {
    byte[] bytes = Files.readAllBytes(FILE);
    assertThat(bytes).hasSizeBetween(300_000, 700_000);
    // RFC 1952: two bytes of magic, method 8, no flags, four bytes of modification time
    assertThat(bytes).startsWith(0x1f, 0x8b, 8, 0, 0, 0, 0, 0);
  }

  @Test
  void it_shows_all_that_sessions_do() {
    SessionMeasurements measured = SessionMeasurements.of(QuickstartTrace.options());
    assertThat(measured.sessions).isEqualTo(280);
    assertThat(measured.requests()).isBetween(5000, 6000);
    assertThat(measured.longestRequest).isLessThanOrEqualTo(196_608);
    assertThat(measured.shrinks).isGreaterThan(20);
    assertThat(measured.rewrites).isGreaterThan(measured.shrinks + 20);
    assertThat(measured.sessionsWithSubAgents).isBetween(6, 14);
    assertThat(measured.backgroundSubAgents).isBetween(1, measured.subAgents / 4);
  }

  @Test
  void each_line_follows_the_rules_of_the_format() throws IOException {
    List<String> ids = new ArrayList<>();
    for (String line : new String(shippedLines(), UTF_8).split("\n", -1)) {
      if (line.isEmpty()) {
        continue;
      }
      JsonNode session = new ObjectMapper().readTree(line);
      ids.add(session.get("id").textValue());
      assertThat(session.get("block_size").intValue()).isEqualTo(128);
      assertThat(session.get("hash_id_scope").textValue()).isEqualTo("local");
      checkRequests(session.get("requests"));
    }
    assertThat(ids).hasSize(280).doesNotHaveDuplicates();
  }

  /** Nothing in it is odd to the reader, and it finds what was put in. */
  @Test
  void the_reader_understands_all_of_it() {
    Trace trace = TraceReaders.read(FILE);
    SessionMeasurements measured = SessionMeasurements.of(QuickstartTrace.options());
    TraceStatistics statistics = TraceStatistics.of(trace);
    assertThat(statistics.topLevelRequests()).isEqualTo(measured.requests());
    assertThat(statistics.subAgentRequests()).isEqualTo(measured.requestsOfSubAgents);
    assertThat(statistics.topLevelInputTokens()).isEqualTo(measured.inputSum);
    // a prompt that is cut in larger blocks has up to 127 instead of 63 tokens behind the last one
    assertThat((double) statistics.topLevelSessionReusedTokens())
        .isBetween(0.999 * measured.reusedSum, (double) measured.reusedSum);
    assertThat(trace.sessionCount()).isEqualTo(measured.sessions + measured.subAgents);
    // all sessions but the first of each of 6 prefixes, all sub-agents but the first
    assertThat(trace.provenance().counters())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "sessions that share the tool and system prefix of an earlier one",
                measured.sessions - 6L + measured.subAgents - 1,
                "sub-agents with times relative to their own start",
                (long) measured.subAgents,
                "sub-agents that nobody waits for",
                (long) measured.backgroundSubAgents));
  }

  private static void checkRequests(JsonNode requests) {
    long clock = 0;
    long childrenEnd = 0;
    for (JsonNode request : requests) {
      if (request.get("type").textValue().equals("subagent")) {
        assertThat(hundredths(request, "t")).isGreaterThan(clock);
        checkRequests(request.get("requests"));
        if (request.get("status").textValue().equals("completed")) {
          long duration = request.get("duration_ms").longValue() / 10;
          childrenEnd = Math.max(childrenEnd, hundredths(request, "t") + duration);
        }
        continue;
      }
      clock += hundredths(request, "think_time");
      assertThat(hundredths(request, "t")).isEqualTo(clock).isGreaterThanOrEqualTo(childrenEnd);
      clock += hundredths(request, "api_time");
      assertThat(request.get("hash_ids").size()).isEqualTo(request.get("in").intValue() / 128);
      assertThat(request.get("out").intValue()).isPositive();
    }
  }

  private static long hundredths(JsonNode request, String field) {
    return Math.round(request.get(field).doubleValue() * 100);
  }

  private static byte[] shippedLines() throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(FILE))) {
      return in.readAllBytes();
    }
  }
}
