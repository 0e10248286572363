package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is noticed while files are read, and records that are kept aside. */
class TraceFindingsTest {
  private static final String TURN =
      "{\"session_id\": \"%s\", \"request_id\": \"%s\", \"timestamp\": %s, \"input_length\": %s, \"output_length\": 1}";

  @TempDir Path folder;

  @Test
  void quirksAreCountedAndTheirFirstPlaceNamed() throws IOException {
    Path file =
        write(
            TURN.formatted("a", "1", "9", "5"),
            TURN.formatted("b", "2", "3", "5"),
            TURN.formatted("c", "3", "2", "5"));

    TraceReading reading = TraceReaders.open(List.of(file), TraceOptions.defaults());

    TraceFindings findings = reading.findings();
    assertThat(findings.all())
        .contains(
            new TraceFinding(
                TraceFinding.Severity.WARNING,
                "rows out of time order, sorted",
                2,
                file.toString(),
                2,
                null));
    assertThat(findings.anyProblem()).isTrue();
    assertThat(findings.count(TraceFinding.Severity.ERROR)).isZero();
    assertThat(reading.trace().provenance().counters())
        .containsEntry("rows out of time order, sorted", 2L)
        .containsEntry("requests without block hashes", 3L);
  }

  /** 200 of 100 prompt tokens would be a hit rate of 200 %. */
  @Test
  void whatCannotHaveBeenMeasuredIsLeftOutAndCounted() throws IOException {
    Path file =
        write("ts,in,out,hit,first,all", "0,100,5,100,0.2,0.2", "1,100,5,101,0.3,0.2", "2,9,1,,4,");
    TraceOptions options =
        TraceOptions.defaults()
            .withColumns(
                ColumnMapping.parse(
                    "timestamp=ts:s,input=in,output=out,cached=hit,ttft=first:s,total=all:s"));

    TraceReading reading = TraceReaders.open(List.of(file), options);

    Trace trace = reading.trace();
    assertThat(trace.recordedCachedTokens(0)).isEqualTo(100);
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(200_000_000);
    assertThat(trace.recordedCachedTokens(1)).isEqualTo(-1);
    assertThat(trace.recordedTtftNanos(1)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(200_000_000);
    assertThat(trace.recordedTtftNanos(2)).isEqualTo(4_000_000_000L);
    assertThat(reading.findings().all())
        .contains(
            warning("recorded first tokens after the recorded last ones, left out", 1, file, 3),
            warning("recorded cached tokens beyond the prompt's, left out", 1, file, 3));
  }

  @Test
  void aParentThatIsNotThereIsCountedOnceWithItsPlace() throws IOException {
    Path file =
        write(
            "ts,in,out,user,boss",
            "0,100,5,a,",
            "1,100,5,b,nobody",
            "2,100,5,b,nobody",
            "3,100,5,c,a");
    TraceOptions options =
        TraceOptions.defaults()
            .withColumns(
                ColumnMapping.parse("timestamp=ts:s,input=in,output=out,session=user,parent=boss"));

    List<TraceFinding> findings = TraceReaders.open(List.of(file), options).findings().all();

    assertThat(findings)
        .contains(
            warning(
                "sessions whose parent is not in the trace, taken as root sessions", 1, file, 3),
            warning("turns released by a start-to-start gap", 1, file, 4));
  }

  @Test
  void renamedBlocksAreFoundWhereTheyAre() throws IOException {
    Path file =
        write(
            "{\"timestamp\":0,\"input_length\":1024,\"output_length\":1,\"hash_ids\":[1,2]}",
            "{\"timestamp\":0,\"input_length\":1024,\"output_length\":1,\"hash_ids\":[3,2]}");

    assertThat(TraceReaders.open(List.of(file), TraceOptions.defaults()).findings().all())
        .containsExactly(
            warning("blocks renamed because different blocks precede them", 1, file, 2));
  }

  private static TraceFinding warning(String what, long count, Path file, int line) {
    return new TraceFinding(
        TraceFinding.Severity.WARNING, what, count, file.toString(), line, null);
  }

  @Test
  void whatIsJustNotedIsNoProblem() throws IOException {
    Files.writeString(folder.resolve("README"), "about");
    Files.writeString(
        folder.resolve("a.jsonl"),
        TURN.formatted("a", "1", "9", "5").replace("}", ", \"hash_ids\": [1]}"));

    TraceFindings findings = TraceReaders.open(List.of(folder), TraceOptions.defaults()).findings();

    assertThat(findings.count(TraceFinding.Severity.NOTE)).isEqualTo(1);
    assertThat(findings.anyProblem()).isFalse();
  }

  /**
   * Bad lines are left out whether they are no JSON, make no sense, or make none together with the
   * others; the rest is the trace without them.
   */
  @Test
  void badRecordsAreKeptAsideEachWithItsPlace() throws IOException {
    String[] lines = {
      TURN.formatted("a", "1", "0", "5"),
      "{\"session_id\": ",
      TURN.formatted("a", "2", "5", "0"),
      TURN.formatted("b", "1", "6", "7"),
      TURN.formatted("a", "4", "7", "9"),
      "hello",
      TURN.formatted("c", "5", "null", "9")
    };
    Path file = write(lines);
    List<String> kept = new ArrayList<>();
    TraceOptions options =
        TraceOptions.defaults()
            .withBadRecords(
                (name, line, text, why) -> kept.add(line + " " + why.field() + " " + text));

    TraceReading reading = TraceReaders.open(List.of(file), options);

    assertThat(kept)
        .containsExactlyInAnyOrder(
            "2 null " + lines[1],
            "3 input_length " + lines[2],
            "4 request_id " + lines[3],
            "6 null " + lines[5],
            "7 timestamp " + lines[6]);
    assertThat(reading.findings().count(TraceFinding.Severity.ERROR)).isEqualTo(5);
    assertThat(reading.findings().all())
        .extracting(TraceFinding::place)
        .contains(file + ":3:input_length");
    assertThat(reading.trace().provenance().counters())
        .containsEntry("records left out because they cannot be read", 5L);
    Trace good = TraceText.read(lines[0], lines[4]);
    assertThat(reading.trace().digest()).isEqualTo(good.digest());
    assertThatThrownBy(() -> TraceReaders.read(file)).hasMessageStartingWith(file + ":");
  }

  /** What shows only when all has been read is left out in a second attempt, with its text. */
  @Test
  void aRecordThatMakesNoSenseInTheWhole() throws IOException {
    String row =
        "{\"request_id\": \"%s\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"%s\"], \"timestamp\": 1}";
    String root = row.formatted("a", "").replace("[\"\"]", "[]");
    Path file = write(root, row.formatted("b", "gone"), row.formatted("c", "a"));
    List<String> kept = new ArrayList<>();

    Trace trace =
        TraceReaders.open(
                List.of(file),
                TraceOptions.defaults()
                    .withBadRecords((name, line, text, why) -> kept.add(line + " " + text)))
            .trace();

    assertThat(kept).containsExactly("2 " + row.formatted("b", "gone"));
    assertThat(trace.requestCount()).isEqualTo(2);
  }

  @Test
  void aTableLosesItsBadRowsOnly() throws IOException {
    Path file =
        write(
            "TIMESTAMP,ContextTokens,GeneratedTokens",
            "2026-01-01 00:00:00,5,5",
            "x,5,5",
            "2026-01-01 00:00:02,5",
            "2026-01-01 00:00:03,7,5,1,1");

    TraceFindings findings = TraceReaders.check(List.of(file), TraceOptions.defaults()).findings();

    assertThat(findings.all())
        .extracting(TraceFinding::place)
        .startsWith(file + ":3:TIMESTAMP", file + ":4:GeneratedTokens");
    assertThat(findings.count(TraceFinding.Severity.ERROR)).isEqualTo(3);
  }

  @Test
  void aFileThatIsNoTraceIsOneFinding() throws IOException {
    Path file = write("{\"a\": 1}");

    TraceFindings findings = TraceReaders.check(List.of(file), TraceOptions.defaults()).findings();

    assertThat(findings.all()).hasSize(1);
    assertThat(findings.all().get(0).place()).isEqualTo(file + ":1:trace format");
    assertThat(
            TraceReaders.check(List.of(folder.resolve("no")), TraceOptions.defaults())
                .findings()
                .all()
                .get(0)
                .what())
        .isEqualTo("found no such file, expected a trace file");
  }

  private Path write(String... lines) throws IOException {
    return Files.writeString(folder.resolve("t.jsonl"), String.join("\n", lines) + "\n");
  }
}
