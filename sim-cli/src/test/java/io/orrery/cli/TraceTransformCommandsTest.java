package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code orrery trace} convert, sample, merge, shift, scale and anonymise make of a trace. */
class TraceTransformCommandsTest {
  @TempDir Path folder;

  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
  }

  @Test
  void convertSaysWhatIsLost() {
    Outcome kept = files.run("trace convert @small.jsonl --block-size 64 -o @t.parquet");
    Outcome lost = files.run("trace convert @t.parquet --to weka -o @w");

    assertThat(kept.succeeded().err())
        .contains("wrote " + files.in("t.parquet") + " (orrery): 40 requests in 10 sessions")
        .doesNotContain("Lost");
    assertThat(lost.succeeded().err()).contains("Lost: ");
    Outcome refused = files.run("trace convert @t.parquet --to weka --no-losses -o @no");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(folder.resolve("no")).doesNotExist();
  }

  @Test
  void convertRefusesWhatCannotBeWritten() {
    assertThat(files.run("trace convert @small.jsonl --to azure -o @x").err())
        .contains("--to: found azure, expected a format that can be written: ");
    assertThat(files.run("trace convert @small.jsonl --to wekka -o @x").err())
        .contains("did you mean weka?");
    assertThat(files.run("trace convert @small.jsonl -o @no/such/x").status()).isEqualTo(2);
    assertThat(files.run("trace convert @small.jsonl").status()).isEqualTo(2);
    assertThat(folder.resolve("x")).doesNotExist();
  }

  @Test
  void sampleWritesWholeSessions() {
    files.run("trace sample @small.jsonl --block-size 64 --sessions 3 -o @s.parquet").succeeded();
    files.run("trace sample @small.jsonl --block-size 64 --share 0.5 -o @h.parquet").succeeded();

    Trace three = files.trace("s.parquet");
    assertThat(three.sessionCount()).isEqualTo(3);
    assertThat(three.requestCount()).isEqualTo(12);
    assertThat(three.provenance().notes()).contains("Sampled: 3 of 10 root sessions, seed 1.");
    assertThat(files.trace("h.parquet").sessionCount()).isEqualTo(5);
    assertThat(files.run("trace sample @small.jsonl -o @x").status()).isEqualTo(2);
    assertThat(files.run("trace sample @small.jsonl --share 2 -o @x").status()).isEqualTo(2);
  }

  @Test
  void sampleSaysWhenThereIsNoMore() {
    Outcome all =
        files.run("trace sample @small.jsonl --block-size 64 --sessions 11 -o @s.parquet");
    Outcome exact =
        files.run("trace sample @small.jsonl --block-size 64 --sessions 10 -o @t.parquet");

    assertThat(all.succeeded().err())
        .contains("the trace has 10 root sessions, fewer than --sessions 11: it was written whole");
    assertThat(files.trace("s.parquet").sessionCount()).isEqualTo(10);
    assertThat(exact.succeeded().err()).doesNotContain("fewer");
  }

  @Test
  void mergeShiftAndScale() {
    files.run("trace shift @small.jsonl --block-size 64 --by 10s -o @later.parquet").succeeded();
    files.run("trace convert @small.jsonl --block-size 64 -o @now.parquet").succeeded();
    files.run("trace merge @now.parquet @later.parquet -o @both.parquet").succeeded();
    files.run("trace scale @both.parquet --load 2 -o @dense.parquet").succeeded();

    Trace both = files.trace("both.parquet");
    assertThat(both.sessionCount()).isEqualTo(20);
    assertThat(both.sessionId(19)).isEqualTo("2:s9");
    assertThat(both.arrivalNanos(both.firstRequest(10))).isEqualTo(10_000_000_000L);
    Trace dense = files.trace("dense.parquet");
    assertThat(dense.arrivalNanos(dense.firstRequest(10))).isEqualTo(5_000_000_000L);
  }

  @Test
  void whatCannotBeMergedShiftedOrScaledIsRefused() {
    files.run("trace convert @small.jsonl --block-size 64 -o @now.parquet").succeeded();
    files.run("trace convert traces/quickstart.jsonl.gz --unchecked -o @q.parquet").succeeded();
    assertThat(files.run("trace merge @q.parquet @now.parquet -o @x").err())
        .contains("merge: found blocks of 128 and of 64 tokens");
    assertThat(files.run("trace shift @small.jsonl --by soon -o @x.parquet").err())
        .contains("--by: found soon, expected a duration such as \"2 s\"");
    assertThat(files.run("trace shift @small.jsonl --by 9999999999h -o @x.parquet").err())
        .contains("--by: found 9999999999h, expected a duration of at most 292 years (2,562,047h)");
    assertThat(
            files.run("trace shift @small.jsonl --block-size 64 --by 2000000h -o @x.parquet").err())
        .contains(
            "--by 2000000h: found a shift by 7,200,000,000 s, expected at most 73 years (640,511 h)");
    assertThat(
            files
                .run("trace shift @small.jsonl --block-size 64 --by 2305843009s -o @x.parquet")
                .err())
        .contains(
            "--by 2305843009s: found a request at 2,305,843,009 s, expected 0 s to 73 years (640,511 h)");
    assertThat(files.run("trace shift @small.jsonl --block-size 64 --by -1h -o @x.parquet").err())
        .contains("--by -1h: found a request at -3,600 s, expected 0 s to 73 years (640,511 h)");
    assertThat(files.run("trace scale @small.jsonl --load 0 -o @x.jsonl").status()).isEqualTo(2);
  }

  @Test
  void aShiftThatTheFormatDoesNotKeepIsNamed() {
    String shift = "trace shift @small.jsonl --block-size 64 --by 10s ";

    assertThat(files.run(shift + "--to mooncake -o @m").succeeded().err())
        .contains("only orrery (Parquet) keeps the shift")
        .contains("blocks of 64 tokens: read it with trace.blockSize 64, or --block-size 64");
    TraceOptions blocks = TraceOptions.defaults().withBlockSize(64);
    assertThat(TraceReaders.read(List.of(folder.resolve("m")), blocks).arrivalNanos(0)).isZero();
    assertThat(files.run(shift + "--to orrery -o @p.parquet").succeeded().err())
        .doesNotContain("keeps the shift");
  }

  @Test
  void anonymisedTracesReplayAlike() {
    files.run("trace convert @small.jsonl --block-size 64 -o @t.parquet").succeeded();
    files.run("trace anonymise @t.parquet --salt s -o @a.parquet").succeeded();

    Trace before = files.trace("t.parquet");
    Trace after = files.trace("a.parquet");
    assertThat(after.sessionId(0)).startsWith("session-").hasSize("session-".length() + 16);
    assertThat(after.inputTokens(7)).isEqualTo(before.inputTokens(7));
    assertThat(after.blockCount()).isEqualTo(before.blockCount());
    assertThat(after.provenance().files()).noneMatch(file -> file.name().contains("small"));
  }
}
