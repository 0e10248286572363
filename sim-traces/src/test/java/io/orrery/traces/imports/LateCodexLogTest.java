package io.orrery.traces.imports;

import static io.orrery.traces.imports.LogFolder.call;
import static io.orrery.traces.imports.LogFolder.commonBlocks;
import static io.orrery.traces.imports.LogFolder.text;
import static io.orrery.traces.imports.LogFolder.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What late versions of Codex write. Texts of the logs have a mark in them. */
class LateCodexLogTest {
  private static final String COPIED = "calls copied from another session's file";

  @TempDir Path folder;

  private static String usage(long input, long cached, long output) {
    return text(
        "{'input_tokens':%d,'cached_input_tokens':%d,'output_tokens':%d}", input, cached, output);
  }

  private static String codex(int second, String type, String payload) {
    return text(
        "{'timestamp':'2026-09-20T10:00:%02d.000Z','ordinal':%d,'type':'%s','payload':%s}%n",
        second, second, type, payload);
  }

  private static String tokenCount(int second, String total, String last) {
    String info = text("{'total_token_usage':%s,'last_token_usage':%s}", total, last);
    return codex(second, "event_msg", "{'type':'token_count','info':" + info + "}");
  }

  private static String record(int second, String response, String used, String total) {
    return codex(
        second,
        "token_usage_record",
        text(
            "{'response_id':'%s','usage':%s,'turn_token_usage':%s,'thread_token_usage':%s}",
            response, used, total, total));
  }

  private static String message(int second, String role) {
    return codex(
        second,
        "response_item",
        text(
            "{'type':'message','role':'%s','content':[{'type':'input_text','text':'xyzzy'}]}",
            role));
  }

  /** A record per response, which the event repeats; a compaction's response has no event. */
  @Test
  @Tag("report-36")
  @Tag("report-48")
  void codexRecordsOfResponses() throws IOException {
    LogFolder logs = new LogFolder(folder);
    logs.file(
        "rollout-a.jsonl",
        codex(0, "session_meta", "{'id':'xyzzy-a','cwd':'/xyzzy'}")
            + message(1, "user")
            + record(4, "resp_1", usage(9000, 2000, 100), usage(9000, 2000, 100))
            + tokenCount(4, usage(9000, 2000, 100), usage(9000, 2000, 100))
            + message(5, "user")
            + record(8, "resp_2", usage(9500, 9000, 900), usage(18_500, 11_000, 1000))
            + codex(9, "compacted", "{'message':'xyzzy'}")
            + tokenCount(9, usage(9000, 2000, 100), usage(0, 0, 0))
            + message(10, "user")
            + record(12, "resp_3", usage(3000, 2000, 50), usage(21_500, 13_000, 1050))
            + tokenCount(12, usage(12_000, 4000, 150), usage(3000, 2000, 50)));

    LogImport.Imported imported = logs.read(LogTool.CODEX);

    assertThat(tokens(imported.trace()))
        .containsExactly("9000/2000/100", "9500/9000/900", "3000/2000/50");
    assertThat(imported.findings().counts())
        .containsEntry("usage events that came again", 3L)
        .doesNotContainKey(JsonLog.OTHER_TOKENS);
  }

  /** Ids begin with when they were made: the turns that it repeats are a day older than itself. */
  @Test
  @Tag("report-35")
  @Tag("report-49")
  void codexTurnsThatAreOlderThanTheirThread() throws IOException {
    LogFolder logs = new LogFolder(folder);
    logs.file(
        "rollout-child.jsonl",
        codex(
                0,
                "session_meta",
                "{'id':'01a0a6f58800-7000-8000-000000000001','forked_from_id':'gone'}"
                    .replace("01a0a6f58800", "01a0a6f5-8800"))
            + codex(1, "session_meta", "{'id':'gone'}")
            + codex(2, "turn_context", "{'turn_id':'01a0a000-0000-7000-8000-000000000002'}")
            + tokenCount(3, usage(90_000, 80_000, 500), usage(30_000, 29_000, 200))
            + tokenCount(4, usage(125_000, 110_000, 700), usage(35_000, 30_000, 200))
            + codex(
                5,
                "event_msg",
                "{'type':'task_started','turn_id':'01a0a6f6-0000-7000-8000-000000000003'}")
            + message(6, "user")
            + tokenCount(8, usage(160_400, 145_000, 740), usage(35_400, 35_000, 40)));

    LogImport.Imported imported = logs.read(LogTool.CODEX);

    assertThat(tokens(imported.trace())).containsExactly("35400/35000/40");
    assertThat(imported.trace().recordedTotalNanos(0)).isEqualTo(2_000_000_000L);
    assertThat(imported.findings().counts()).containsEntry(COPIED, 2L);
  }

  /** Where the head says where the thread's own part starts, nothing else counts. */
  @Test
  @Tag("report-35")
  @Tag("report-49")
  void codexHistoryUpToAnOrdinal() throws IOException {
    LogFolder logs = new LogFolder(folder);
    logs.file(
        "rollout-child.jsonl",
        codex(
                0,
                "session_meta",
                "{'id':'child','parent_thread_id':'gone','subagent_history_start_ordinal':5}")
            + codex(1, "turn_context", "{'turn_id':'turn-1','model':'xyzzy'}")
            + tokenCount(2, usage(5000, 0, 50), usage(5000, 0, 50))
            + tokenCount(4, usage(11_000, 4000, 90), usage(6000, 4000, 40))
            + message(6, "user")
            + tokenCount(9, usage(17_500, 9000, 120), usage(6500, 5000, 30)));

    LogImport.Imported imported = logs.read(LogTool.CODEX);

    assertThat(tokens(imported.trace())).containsExactly("6500/5000/30");
    assertThat(imported.findings().counts()).containsEntry(COPIED, 2L);
  }

  /** A sub-agent's sub-agent repeats what its parent has from its own parent. */
  @Test
  @Tag("report-35")
  void codexHistoryOfGrandparents() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String first = tokenCount(3, usage(8000, 0, 50), usage(8000, 0, 50));
    String second = tokenCount(6, usage(16_400, 8000, 80), usage(8400, 8000, 30));
    String third = tokenCount(9, usage(25_200, 16_400, 100), usage(8800, 8400, 20));
    logs.file(
        "rollout-1.jsonl", codex(0, "session_meta", "{'id':'one'}") + message(1, "user") + first);
    logs.file(
        "rollout-2.jsonl",
        codex(0, "session_meta", "{'id':'two','forked_from_id':'one'}")
            + first
            + message(4, "user")
            + second);
    logs.file(
        "rollout-3.jsonl",
        codex(0, "session_meta", "{'id':'three','forked_from_id':'two'}")
            + first
            + second
            + message(7, "user")
            + third);

    LogImport.Imported imported = logs.read(LogTool.CODEX);
    Trace trace = imported.trace();

    assertThat(tokens(trace)).containsExactly("8000/0/50", "8400/8000/30", "8800/8400/20");
    assertThat(imported.findings().counts()).containsEntry(COPIED, 3L);
    assertThat(commonBlocks(trace, 1, 2)).isEqualTo(8400 / 64);
  }

  /** A fork that names its history instead of repeating it: it continues what there was then. */
  @Test
  void codexHistoryOfAnotherFile() throws IOException {
    LogFolder logs = new LogFolder(folder);
    logs.file(
        "rollout-1.jsonl",
        codex(0, "session_meta", "{'id':'one'}")
            + message(1, "user")
            + tokenCount(3, usage(8000, 0, 50), usage(8000, 0, 50))
            + message(10, "user")
            + tokenCount(20, usage(17_000, 8000, 80), usage(9000, 8000, 30)));
    logs.file(
        "rollout-2.jsonl",
        codex(5, "session_meta", "{'id':'two','history_base':{'thread_id':'one'}}")
            + message(6, "user")
            + tokenCount(8, usage(8500, 8000, 20), usage(8500, 8000, 20)));

    Trace trace = logs.read(LogTool.CODEX).trace();

    assertThat(commonBlocks(trace, call(trace, 8000), call(trace, 8500))).isEqualTo(8000 / 64);
    assertThat(commonBlocks(trace, call(trace, 9000), call(trace, 8500))).isEqualTo(8000 / 64);
  }
}
