package io.orrery.traces.imports;

import static io.orrery.traces.imports.LogFolder.commonBlocks;
import static io.orrery.traces.imports.LogFolder.text;
import static io.orrery.traces.imports.LogFolder.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What late versions of Claude Code, OpenCode and pi write. Texts have a mark in them. */
class LateLogTest {
  @TempDir Path folder;

  private static String claude(
      int second, String uuid, String parent, String session, String more) {
    return text(
        "{'timestamp':'2026-09-20T10:00:%02d.000Z','uuid':'%s','parentUuid':%s,'sessionId':'%s',%s}%n",
        second, uuid, parent == null ? "null" : "'" + parent + "'", session, more);
  }

  private static String asked(int second, String uuid, String parent, String more) {
    return claude(second, uuid, parent, "s", more + "'type':'user','message':{'content':'xyzzy'}");
  }

  private static String answered(
      int second, String uuid, String parent, String id, String usage, String more) {
    return claude(
        second,
        uuid,
        parent,
        "s",
        more
            + text(
                "'type':'assistant','message':{'id':'%s','model':'xyzzy','stop_reason':'end_turn','usage':{%s}}",
                id, usage));
  }

  private static String claudeUsage(int fresh, int read, int output) {
    return text(
        "'input_tokens':%d,'cache_read_input_tokens':%d,'cache_creation_input_tokens':0,'output_tokens':%d",
        fresh, read, output);
  }

  /** The usage of an answer with tools on the server is a sum; the advisor's is not in it. */
  @Test
  void claudeCodeAnswersOfSeveralIterations() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String iterations =
        text(
            ",'iterations':[{'type':'message',%s},{'type':'advisor_message','model':'xyzzy-large',%s},"
                + "{'type':'message',%s}]",
            claudeUsage(10, 20_000, 85),
            claudeUsage(21_000, 0, 700),
            claudeUsage(300, 20_010, 598));
    logs.file(
        "s.jsonl",
        asked(0, "u1", null, "")
            + answered(4, "a1", "u1", "msg_1", claudeUsage(20_000, 0, 50), "")
            + asked(5, "u2", "a1", "")
            + answered(9, "a2", "u2", "msg_2", claudeUsage(310, 40_010, 683) + iterations, "")
            + asked(10, "u3", "a2", "")
            + answered(12, "a3", "u3", "msg_3", claudeUsage(20, 20_900, 5), ""));

    Trace trace = logs.read(LogTool.CLAUDE_CODE).trace();

    assertThat(tokens(trace))
        .containsExactly(
            "20000/0/50", "20010/20000/85", "21000/0/700", "20310/20010/598", "20920/20900/5");
    assertThat(commonBlocks(trace, 1, 3)).isEqualTo(20_010 / 64);
    assertThat(commonBlocks(trace, 3, 4)).isEqualTo(20_310 / 64);
    assertThat(commonBlocks(trace, 1, 2)).isZero();
    assertThat(trace.model(2)).isNotEqualTo(trace.model(1));
    assertThat(trace.model(3)).isEqualTo(trace.model(1));
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.recordedTotalNanos(4)).isEqualTo(2_000_000_000L);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(3))).isZero();
    assertThat(trace.edgeDelayNanos(trace.edgeStart(4))).isEqualTo(1_000_000_000L);
  }

  /** An agent that compacts repeats the conversation; its file may come before its parent's. */
  @Test
  void claudeCodeAgentsThatRepeatTheConversation() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String agent = "'isSidechain':true,'agentId':'acompact-1',";
    logs.file(
        "b.jsonl",
        asked(0, "u1", null, "")
            + answered(4, "a1", "u1", "msg_1", claudeUsage(20_000, 0, 50), ""));
    logs.file(
        "agent-acompact-1.jsonl",
        asked(0, "x1", null, agent)
            + answered(4, "x2", "x1", "msg_1", claudeUsage(20_000, 0, 50), agent)
            + asked(5, "x3", "x2", agent)
            + answered(9, "x4", "x3", "msg_2", claudeUsage(400, 20_000, 900), agent));

    LogImport.Imported imported = logs.read(LogTool.CLAUDE_CODE);
    Trace trace = imported.trace();

    assertThat(tokens(trace)).containsExactly("20000/0/50", "20400/20000/900");
    assertThat(trace.parentSession(trace.session(0))).isEqualTo(-1);
    assertThat(trace.parentSession(trace.session(1))).isEqualTo(trace.session(0));
    assertThat(commonBlocks(trace, 0, 1)).isEqualTo(20_000 / 64);
  }

  /** Sub-agents' lines may only have the usage that there was when the answer began. */
  @Test
  @Tag("report-47")
  void claudeCodeAnswersWithoutAnEnd() throws IOException {
    LogFolder logs = new LogFolder(folder);
    logs.file(
        "s.jsonl",
        asked(0, "u1", null, "")
            + answered(4, "a1", "u1", "msg_1", claudeUsage(20_000, 0, 1), "")
                .replace("'end_turn'", "null")
            + answered(5, "a2", "a1", "msg_1", claudeUsage(20_000, 0, 3), "")
                .replace("'end_turn'", "null")
            + asked(6, "u2", "a2", "")
            + answered(9, "a3", "u2", "msg_2", claudeUsage(400, 20_000, 1), "")
                .replace("'end_turn'", "null")
            + answered(9, "a4", "a3", "msg_2", claudeUsage(400, 20_000, 90), ""));

    LogImport.Imported imported = logs.read(LogTool.CLAUDE_CODE);

    String unended = "answers whose end was not logged, their output may have been longer";
    assertThat(imported.findings().counts()).containsEntry(unended, 1L);
    assertThat(imported.findings().place(unended)).endsWith("s.jsonl:2");
    assertThat(imported.trace().outputTokens(1)).isEqualTo(90);
  }

  private static String openCodeMessage(String id, String session, int second, String tokens) {
    long created = 1_789_898_400_000L + second * 1000L;
    return text(
        "{'id':'%s','sessionID':'%s','role':'assistant','modelID':'xyzzy','tokens':{%s},"
            + "'time':{'created':%d,'completed':%d}}",
        id, session, tokens, created, created + 2000);
  }

  private static String openCodeTokens(int input, int read, int output, int reasoning) {
    return text(
        "'input':%d,'output':%d,'reasoning':%d,'cache':{'read':%d,'write':0}",
        input, output, reasoning, read);
  }

  /** Ids of sessions fall with time, those of messages rise. */
  @Test
  void openCodeForksRepeatMessagesUnderNewIds() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String exported = "{'info':{'id':'%s','title':'xyzzy','time':{}},'messages':[%s]}";
    String first = openCodeTokens(9000, 0, 50, 0);
    String second = openCodeTokens(400, 9000, 20, 0);
    logs.file(
        "original.json",
        text(
            exported,
            "ses_9",
            text(
                "{'info':%s,'parts':[]},{'info':%s,'parts':[]}",
                openCodeMessage("msg_1", "ses_9", 0, first),
                openCodeMessage("msg_2", "ses_9", 5, second))));
    logs.file(
        "fork.json",
        text(
            exported,
            "ses_8",
            text(
                "{'info':%s,'parts':[]},{'info':%s,'parts':[]}",
                openCodeMessage("msg_3", "ses_8", 0, first),
                openCodeMessage("msg_4", "ses_8", 9, openCodeTokens(500, 9000, 30, 0)))));

    LogImport.Imported imported = logs.read(LogTool.OPENCODE);
    Trace trace = imported.trace();

    assertThat(tokens(trace)).containsExactly("9000/0/50", "9400/9000/20", "9500/9000/30");
    assertThat(trace.session(2)).isNotEqualTo(trace.session(1));
    assertThat(commonBlocks(trace, 0, 2)).isEqualTo(9000 / 64);
    assertThat(imported.findings().counts()).containsEntry("calls copied from another session", 1L);
  }

  /**
   * A message that was never completed has no end. The next one, 5 s after its start, keeps that
   * distance; the one after that waits from the end, 3 s.
   */
  @Test
  void anOpenCodeMessageWithoutAnEndIsNoWait() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String open =
        openCodeMessage("msg_1", "ses_1", 0, openCodeTokens(9000, 0, 50, 0))
            .replaceFirst(",.completed.:\\d+", "");
    logs.file(
        "session.json",
        text(
            "{'info':{'id':'ses_1','time':{}},'messages':[{'info':%s,'parts':[]},{'info':%s,'parts':[]},{'info':%s,'parts':[]}]}",
            open,
            openCodeMessage("msg_2", "ses_1", 5, openCodeTokens(400, 9000, 20, 0)),
            openCodeMessage("msg_3", "ses_1", 10, openCodeTokens(400, 9400, 20, 0))));

    LogImport.Imported imported = logs.read(LogTool.OPENCODE);
    Trace trace = imported.trace();

    assertThat(imported.findings().counts())
        .containsEntry("messages that were never completed", 1L);
    assertThat(trace.edgeEnd(1) - trace.edgeStart(1)).isEqualTo(2);
    assertThat(trace.edgeTrigger(trace.edgeStart(1))).isEqualTo(EdgeTrigger.DISPATCH);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(1))).isEqualTo(5_000_000_000L);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(1) + 1)).isZero();
    assertThat(trace.edgeDelayNanos(trace.edgeStart(2))).isEqualTo(3_000_000_000L);
  }

  /** Rows of the database that somebody wrote as lines. */
  @Test
  void openCodeLinesOfTheDatabase() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String message = openCodeMessage("msg_1", "ses_1", 0, openCodeTokens(9000, 0, 50, 0));
    logs.file(
        "lines.jsonl",
        "{'id':'ses_1','parentID':null,'time':{'created':1}}\n"
            + message
            + "\n"
            + text(
                "{'id':'prt_1','messageID':'msg_1','type':'step-finish','tokens':{%s}}\n",
                openCodeTokens(9000, 0, 50, 0))
            + text(
                "{'id':'prt_2','messageID':'msg_1','type':'step-finish','tokens':{%s}}\n",
                openCodeTokens(100, 9000, 60, 0)));
    logs.file("storage/message/ses_1/msg_1.json", message);

    LogImport.Imported imported = logs.read(LogTool.OPENCODE);

    assertThat(tokens(imported.trace())).containsExactly("9000/0/50", "9100/9000/60");
    assertThat(imported.findings().counts()).containsEntry("messages that came again", 1L);
  }

  /** The total tells whether the output holds the reasoning. */
  @Test
  void openCodeReasoning() throws IOException {
    LogFolder logs = new LogFolder(folder);
    logs.file(
        "storage/message/s/1.json",
        openCodeMessage("msg_1", "s", 0, "'total':9100," + openCodeTokens(9000, 0, 100, 40)));
    logs.file(
        "storage/message/s/2.json",
        openCodeMessage("msg_2", "s", 5, "'total':9340," + openCodeTokens(200, 9000, 100, 40)));
    logs.file(
        "storage/message/s/3.json",
        openCodeMessage("msg_3", "s", 10, openCodeTokens(400, 9000, 10, 40)));

    assertThat(tokens(logs.read(LogTool.OPENCODE).trace()))
        .containsExactly("9000/0/100", "9200/9000/140", "9400/9000/50");
  }

  private static String pi(int second, String id, String parent, String more) {
    return text(
        "{'id':'%s','parentId':'%s','timestamp':'2026-09-20T10:00:%02d.000Z',%s}%n",
        id, parent, second, more);
  }

  private static String piUsage(int input, int read, int output) {
    return text(
        "'usage':{'input':%d,'output':%d,'cacheRead':%d,'cacheWrite':0,'totalTokens':%d}",
        input, output, read, input + read + output);
  }

  /** A summary is a call with a prompt of its own; what tools used is only a sum. */
  @Test
  void piSummariesAndTools() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String answer = "'type':'message','message':{'role':'assistant','model':'xyzzy',%s}";
    logs.file(
        "s.jsonl",
        pi(1, "a", "", text(answer, piUsage(9000, 0, 50)))
            + pi(
                2,
                "b",
                "a",
                text(
                    "'type':'message','message':{'role':'toolResult','toolName':'xyzzy',%s}",
                    piUsage(700, 0, 9)))
            + pi(5, "c", "b", text(answer, piUsage(400, 9000, 20)))
            + pi(8, "d", "c", "'type':'compaction','summary':'xyzzy'," + piUsage(8800, 0, 600))
            + pi(9, "e", "d", text(answer, piUsage(3000, 1000, 20))));

    LogImport.Imported imported = logs.read(LogTool.PI);
    Trace trace = imported.trace();

    assertThat(tokens(trace))
        .containsExactly("9000/0/50", "9400/9000/20", "8800/0/600", "4000/1000/20");
    assertThat(commonBlocks(trace, 1, 2)).isZero();
    assertThat(commonBlocks(trace, 1, 3)).isEqualTo(1000 / 64);
    assertThat(trace.model(2)).isEqualTo(trace.model(1));
    assertThat(imported.findings().counts())
        .containsEntry("calls that tools made, told as a sum, left out", 1L)
        .containsEntry("compactions", 1L);
  }

  /** Beside the sessions lie transcripts of sub-agents, whose calls the sessions have. */
  @Test
  @Tag("report-50")
  void piTranscriptsBesideTheSessions() throws IOException {
    LogFolder logs = new LogFolder(folder);
    String answer = text("'message':{'role':'assistant','model':'xyzzy',%s}", piUsage(9000, 0, 50));
    logs.file("1_a.jsonl", pi(1, "a", "", "'type':'message'," + answer));
    logs.file(
        "1_a/subagent-artifacts/1_transcript.jsonl",
        "{'version':1,'recordType':'message','timestamp':'2026-09-20T10:00:01Z'," + answer + "}");

    LogImport.Imported imported = logs.read(LogTool.PI);

    assertThat(tokens(imported.trace())).containsExactly("9000/0/50");
    assertThat(imported.findings().counts()).containsEntry(JsonLog.OTHER_TOKENS, 1L);
  }
}
