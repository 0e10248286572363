package io.orrery.traces.imports;

import static io.orrery.traces.imports.LogFolder.call;
import static io.orrery.traces.imports.LogFolder.commonBlocks;
import static io.orrery.traces.imports.LogFolder.text;
import static io.orrery.traces.imports.LogFolder.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * OpenCode's database, with tables as versions 1.2 and 2.0 make them. Texts have a mark in them.
 */
class OpenCodeDatabaseTest {
  private static final long START = 1_789_898_400_000L;
  private static final long SECOND = 1_000_000_000;

  private static final String APART =
      """
      CREATE TABLE session (id text PRIMARY KEY, parent_id text, title text, time_created integer);
      CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
      CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
      """;
  private static final String WHOLE =
      """
      CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, fork_session_id text,
        fork_boundary text, title text, time_created integer);
      CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer,
        time_created integer, time_updated integer, data text);
      """;

  @TempDir Path folder;

  private Path database(String... statements) throws IOException, SQLException {
    Path file = folder.resolve("logs/opencode.db");
    Files.createDirectories(file.getParent());
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.executeUpdate(text);
      }
    }
    return file;
  }

  private LogImport.Imported read() throws IOException {
    return new LogFolder(folder).read(LogTool.OPENCODE);
  }

  private static String usage(int input, int read, int output, int reasoning) {
    return text(
        "\"tokens\":{\"input\":%d,\"output\":%d,\"reasoning\":%d,\"cache\":{\"read\":%d,\"write\":0}}",
        input, output, reasoning, read);
  }

  /** A message whose parts are rows of their own, of the given second. */
  private static String message(String id, String session, int second, String usage) {
    long at = START + second * 1000L;
    return text(
        "INSERT INTO message VALUES ('%s','%s',%d,'{\"role\":\"assistant\",\"modelID\":\"xyzzy\",%s,"
            + "\"time\":{\"created\":%d,\"completed\":%d}}');",
        id, session, at, usage, at, at + 4000);
  }

  /** A message with its content in it: a tool runs from its second to its fourth second. */
  private static String whole(String id, String session, int second, String usage) {
    long at = START + second * 1000L;
    return text(
        "INSERT INTO session_message VALUES ('%s','%s','assistant',%d,%d,%d,'{\"agent\":\"xyzzy\","
            + "\"model\":{\"id\":\"xyzzy\"},%s,\"time\":{\"created\":%d,\"streamed\":%d,\"completed\":%d},"
            + "\"content\":[{\"type\":\"text\",\"text\":\"xyzzy\"},{\"type\":\"tool\",\"id\":\"t\",\"name\":\"bash\","
            + "\"state\":{\"status\":\"completed\",\"content\":\"xyzzy\"},\"time\":{\"created\":%d,\"ran\":%d,\"completed\":%d}}]}');",
        id, session, second, at, at + 5000, usage, at, at + 3000, at + 5000, at + 1000, at + 2000,
        at + 4000);
  }

  @Test
  void messagesWithPartsInRowsOfTheirOwn() throws IOException, SQLException {
    database(
        APART,
        "INSERT INTO session VALUES ('ses_1',NULL,'xyzzy',1),('ses_2','ses_1','xyzzy',2);",
        message("msg_1", "ses_1", 0, usage(9000, 0, 50, 0)),
        text(
            "INSERT INTO part VALUES ('prt_1','msg_1','ses_1','{\"type\":\"text\",\"text\":\"xyzzy\"}'),"
                + "('prt_2','msg_1','ses_1','{\"type\":\"tool\",\"tool\":\"bash\",\"state\":{\"output\":\"xyzzy\","
                + "\"time\":{\"start\":%d,\"end\":%d}}}'),('prt_3','msg_1','ses_1','{\"type\":\"step-finish\",%s}');",
            START + 2000, START + 3000, usage(9000, 0, 50, 0)),
        message("msg_2", "ses_1", 10, usage(500, 9000, 20, 0)),
        message("msg_3", "ses_2", 5, usage(4000, 0, 10, 0)),
        "INSERT INTO message VALUES ('msg_4','ses_1',1,'{\"role\":\"user\",\"text\":\"xyzzy\"}');");

    LogImport.Imported imported = read();
    Trace trace = imported.trace();

    assertThat(tokens(trace)).containsExactlyInAnyOrder("9000/0/50", "9500/9000/20", "4000/0/10");
    int first = call(trace, 9000);
    assertThat(trace.recordedTotalNanos(first)).isEqualTo(2 * SECOND);
    assertThat(trace.recordedTools(first)).isEqualTo("shell");
    assertThat(trace.parentSession(trace.session(call(trace, 4000))))
        .isEqualTo(trace.session(first));
    assertThat(imported.findings().counts()).isEmpty();
  }

  /** An answer has come when it is streamed, though its tool began before that and ended after. */
  @Test
  void messagesWithTheirContent() throws IOException, SQLException {
    database(
        WHOLE,
        "INSERT INTO session_v2 VALUES ('ses_1',NULL,NULL,NULL,'xyzzy',1);",
        whole("msg_1", "ses_1", 0, usage(9000, 0, 100, 40)),
        "INSERT INTO session_message VALUES ('msg_2','ses_1','user',2,1,1,'{\"text\":\"xyzzy\"}');",
        text(
            "INSERT INTO session_message VALUES ('msg_3','ses_1','compaction',3,%d,%d,"
                + "'{\"status\":\"completed\",\"summary\":\"xyzzy\",\"time\":{\"created\":%d},%s}');",
            START + 60_000, START + 67_000, START + 60_000, usage(300, 9000, 700, 0)));

    LogImport.Imported imported = read();
    Trace trace = imported.trace();

    assertThat(tokens(trace)).containsExactly("9000/0/140", "9300/9000/700");
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(3 * SECOND);
    assertThat(trace.recordedTools(0)).isEqualTo("shell");
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(7 * SECOND);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(1))).isEqualTo(57 * SECOND);
    assertThat(imported.findings().counts()).containsOnlyKeys("compactions");
  }

  /** A database that was moved to version 2, and written to since, with files from before both. */
  @Test
  void whatTwoVersionsKeepCountsOnce() throws IOException, SQLException {
    database(
        APART,
        WHOLE,
        message("msg_1", "ses_1", 0, usage(9000, 0, 100, 40)),
        whole("msg_moved", "ses_1", 0, usage(9000, 0, 100, 40)),
        whole("msg_2", "ses_1", 9, usage(500, 9000, 20, 0)));
    new LogFolder(folder)
        .file(
            "storage/message/ses_1/msg_1.json",
            text(
                "{'id':'msg_1','sessionID':'ses_1','role':'assistant',%s,'time':{'created':%d,'completed':%d}}",
                usage(9000, 0, 100, 40), START, START + 4000));

    LogImport.Imported imported = read();

    assertThat(tokens(imported.trace())).containsExactly("9000/0/100", "9500/9000/20");
    assertThat(imported.findings().counts())
        .containsOnlyKeys("messages that came again")
        .containsEntry("messages that came again", 2L);
  }

  /** The first call of a fork continues the message at which it was made, not later ones. */
  @Test
  void forksContinueWhatTheyWereMadeOf() throws IOException, SQLException {
    database(
        WHOLE,
        "INSERT INTO session_v2 VALUES ('ses_1',NULL,NULL,NULL,'xyzzy',1),('ses_2',NULL,'ses_1','msg_1','xyzzy',2);",
        whole("msg_1", "ses_1", 0, usage(9000, 0, 100, 0)),
        whole("msg_2", "ses_1", 9, usage(6000, 9000, 20, 0)),
        whole("msg_3", "ses_2", 20, usage(7000, 9000, 20, 0)));

    Trace trace = read().trace();

    assertThat(trace.session(2)).isNotEqualTo(trace.session(0));
    assertThat(commonBlocks(trace, 0, 2)).isEqualTo(9000 / 64);
    assertThat(commonBlocks(trace, 1, 2)).isEqualTo(9000 / 64);
  }

  /** Usage is the sum where the model was asked more than once; the prompt was the last one's. */
  @Test
  void answersOfSeveralRequests() throws IOException, SQLException {
    database(
        WHOLE,
        whole(
            "msg_1",
            "ses_1",
            0,
            usage(12_000, 9000, 100, 0).replace("\"input\"", "\"context\":11000,\"input\"")));

    LogImport.Imported imported = read();

    assertThat(tokens(imported.trace())).containsExactly("11000/9000/100");
    assertThat(imported.findings().counts()).containsEntry(OpenCodeMessage.SEVERAL_REQUESTS, 1L);
  }

  /** While OpenCode runs, what it wrote last is in a second file. Nothing is left beside it. */
  @Test
  void aDatabaseInUse() throws IOException, SQLException {
    Path file =
        database("PRAGMA journal_mode=WAL;", WHOLE, whole("msg_1", "s", 0, usage(9000, 0, 5, 0)));
    assertThat(files()).containsExactly("opencode.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(whole("msg_2", "s", 9, usage(500, 9000, 20, 0)));

      assertThat(tokens(read().trace())).containsExactly("9000/0/5", "9500/9000/20");
    }
    assertThat(files()).containsExactly("opencode.db");
    assertThat(tokens(read().trace())).hasSize(2);
    assertThat(files()).containsExactly("opencode.db");
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void rowsThatAreNoJsonAreCounted() throws IOException, SQLException {
    database(
        WHOLE,
        whole("msg_1", "ses_1", 0, usage(9000, 0, 100, 40)),
        "INSERT INTO session_message VALUES ('msg_2','ses_1','assistant',2,1,1,'{\"time\":'),"
            + "('msg_3','ses_1','assistant',3,1,1,NULL),('msg_4','ses_1','assistant',4,1,1,'[]'),"
            + "('msg_5','ses_1','assistant',5,1,1,x'00ff');");

    LogImport.Imported imported = read();

    String bad = "rows of the database that are not JSON, left out";
    assertThat(imported.trace().requestCount()).isEqualTo(1);
    assertThat(imported.findings().counts()).containsOnlyKeys(bad).containsEntry(bad, 4L);
    assertThat(imported.findings().place(bad)).endsWith("opencode.db, message msg_2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE other (id text);",
        "CREATE TABLE message (id text);",
        "CREATE TABLE t (id text); CREATE VIEW session_message AS SELECT * FROM t;"
      })
  void databasesOfOthersAreRefused(String tables) throws IOException, SQLException {
    database(tables);

    assertThatThrownBy(this::read)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("opencode.db")
        .hasMessageContaining("expected a database of OpenCode");
  }

  @Test
  void tablesWithoutTheirColumnsAreRefused() throws IOException, SQLException {
    database("CREATE TABLE session_message (id text, body text);");

    assertThatThrownBy(this::read)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("no such column")
        .hasMessageContaining("expected a database of OpenCode");
  }

  /** Whatever is broken in it, there is a trace or a message, and never part of a text. */
  @Test
  void damagedDatabases() throws IOException, SQLException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      rows.append(whole("msg_" + (100 + i), "ses_1", 10 * i, usage(9000 + i, 0, 100, 40)));
    }
    Path file = database(WHOLE, rows.toString());
    byte[] sound = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(5);
    int refused = 0;
    for (int round = 0; round < 200; round++) {
      byte[] damaged = sound.clone();
      for (int i = 0; i < 1 + round % 20; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      int length = round % 3 == 0 ? random.nextInt(damaged.length) : damaged.length;
      Files.write(file, Arrays.copyOf(damaged, length));
      try {
        LogImport.of(LogTool.OPENCODE, List.of(file), 64, new byte[] {1});
      } catch (TraceException e) {
        refused++;
        assertThat(e).hasMessageContaining("opencode.db").hasMessageNotContaining("xyzzy");
      }
    }
    assertThat(refused).isGreaterThan(20);
  }
}
