package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of agents: no traces, but {@code orrery trace import} makes them so. */
class TraceImportCommandTest {
  @TempDir Path folder;

  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
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
      assertThat(files.run("trace stats @log.jsonl").err()).contains("orrery trace import");
    }
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

    Outcome outcome = files.run("trace import pi @logs --salt s -o @mine.parquet");

    assertThat(outcome.succeeded().err())
        .contains("last lines that were cut off, left out: 1, first at " + log + ":3")
        .contains("wrote " + files.in("mine.parquet") + " (orrery): 1 request in 1 session");
    Trace trace = files.trace("mine.parquet");
    assertThat(trace.inputTokens(0)).isEqualTo(1_000);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(5_000_000_000L);
    Outcome unknown = files.run("trace import claude @logs -o @x.parquet");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("expected one of claude-code, codex, opencode, pi");
    assertThat(files.run("trace import codex @logs -o @x.parquet").status()).isEqualTo(3);
    assertThat(folder.resolve("x.parquet")).doesNotExist();
  }
}
