package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.traces.TraceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * OpenCode's SQLite database, {@code opencode.db}. Versions from 1.2 keep messages and their parts
 * in tables of their own ({@code message}, {@code part}), later ones a message with its content in
 * one row ({@code session_message}); a database may have both, of which one repeats the other.
 */
final class OpenCodeDatabase {
  private static final String EXPECTED = "a database of OpenCode";

  private final Path file;
  private final LogFindings findings;
  private final Taker taker;

  private OpenCodeDatabase(Path file, LogFindings findings, Taker taker) {
    this.file = file;
    this.findings = findings;
    this.taker = taker;
  }

  /** Takes sessions, messages and parts, in this order. */
  interface Taker {
    void take(JsonNode object, String place);
  }

  /**
   * Hands over all rows as the objects that OpenCode exports.
   *
   * @throws TraceException where it is no such database, or is damaged
   */
  static void read(Path file, LogFindings findings, Taker taker) {
    // Where no log of changes is, nobody is writing, and SQLite need not leave files to lock.
    boolean still = !exists(file, "-wal") && !exists(file, "-journal");
    String address =
        "jdbc:sqlite:file:"
            + file.toUri().getRawPath()
            + "?mode=ro"
            + (still ? "&immutable=1" : "");
    try (Connection connection = DriverManager.getConnection(address)) {
      new OpenCodeDatabase(file, findings, taker).read(connection);
    } catch (SQLException e) {
      throw new TraceException(file.toString(), 0, null, String.valueOf(e.getMessage()), EXPECTED);
    }
  }

  private static boolean exists(Path file, String ending) {
    return Files.exists(file.resolveSibling(file.getFileName() + ending));
  }

  private void read(Connection connection) throws SQLException {
    // A view could be made to compute for ever.
    Map<String, Set<String>> tables = tables(connection);
    boolean apart = tables.containsKey("message") && tables.containsKey("part");
    boolean whole = tables.containsKey("session_message");
    if (!apart && !whole) {
      throw new TraceException(
          file.toString(), 0, null, "neither table message nor session_message", EXPECTED);
    }
    for (String table : new String[] {"session", "session_v2"}) {
      if (tables.containsKey(table)) {
        sessions(connection, table, tables.get(table));
      }
    }
    if (apart) {
      rows(connection, "SELECT id, data, session_id, NULL, NULL FROM message ORDER BY id");
      parts(connection);
    }
    if (whole) {
      rows(
          connection,
          "SELECT id, data, session_id, type, time_updated FROM session_message"
              + " WHERE type IN ('assistant', 'compaction') ORDER BY id");
    }
  }

  private static Map<String, Set<String>> tables(Connection connection) throws SQLException {
    Map<String, Set<String>> tables = new HashMap<>();
    String query =
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
            + " WHERE m.type = 'table'";
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        tables.computeIfAbsent(row.getString(1), name -> new HashSet<>()).add(row.getString(2));
      }
    }
    return tables;
  }

  private void sessions(Connection connection, String table, Set<String> columns)
      throws SQLException {
    String fork = columns.contains("fork_session_id") ? "fork_session_id" : "NULL";
    String boundary = columns.contains("fork_boundary") ? "fork_boundary" : "NULL";
    String query =
        "SELECT id, parent_id, time_created, %s, %s FROM %s ORDER BY id"
            .formatted(fork, boundary, table);
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        ObjectNode session = JsonLog.newObject();
        session.put("id", row.getString(1)).put("parentID", row.getString(2));
        session.putObject("time").put("created", row.getLong(3));
        if (row.getString(4) != null) {
          session
              .putObject("fork")
              .put("sessionID", row.getString(4))
              .put("boundary", row.getString(5));
        }
        taker.take(session, placeOf(table, row.getString(1)));
      }
    }
  }

  /** Messages: id, data, session, and what is not in the data where the content is in one row. */
  private void rows(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        ObjectNode message = object("message", row);
        if (message != null) {
          message.put("sessionID", row.getString(3));
          if (row.getString(4) != null) {
            message.put("type", row.getString(4)).put("updated", row.getLong(5));
          }
          taker.take(message, placeOf("message", row.getString(1)));
        }
      }
    }
  }

  private void parts(Connection connection) throws SQLException {
    String query = "SELECT id, data, message_id FROM part ORDER BY id";
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        ObjectNode part = object("part", row);
        if (part != null) {
          part.put("messageID", row.getString(3));
          taker.take(part, placeOf("part", row.getString(1)));
        }
      }
    }
  }

  /** The data of a row with its id; what is no object is counted. */
  private @Nullable ObjectNode object(String kind, ResultSet row) throws SQLException {
    String id = row.getString(1);
    JsonNode data = JsonLog.parsed(row.getString(2));
    if (id != null && data instanceof ObjectNode object) {
      return object.put("id", id);
    }
    findings.count("rows of the database that are not JSON, left out", placeOf(kind, id));
    return null;
  }

  private String placeOf(String kind, @Nullable String id) {
    return file + ", " + kind + " " + id;
  }
}
