package io.orrery.traces.imports;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The agents whose logs can be read: one line each. */
public enum LogTool {
  /** Claude Code: {@code ~/.claude/projects}. */
  CLAUDE_CODE("claude-code", ClaudeCodeLog::new),
  /** Codex: {@code ~/.codex/sessions}. */
  CODEX("codex", CodexLog::new),
  /** OpenCode: {@code ~/.local/share/opencode}, or files of {@code opencode export}. */
  OPENCODE("opencode", OpenCodeLog::new),
  /** pi: {@code ~/.pi/agent/sessions}. */
  PI("pi", PiLog::new);

  private final String toolName;
  private final Supplier<LogReader> reader;

  LogTool(String toolName, Supplier<LogReader> reader) {
    this.toolName = toolName;
    this.reader = reader;
  }

  /** The name on the command line. */
  public String toolName() {
    return toolName;
  }

  LogReader reader() {
    return reader.get();
  }

  /** The tool of this name. */
  public static Optional<LogTool> named(String name) {
    return Arrays.stream(values()).filter(tool -> tool.toolName.equals(name)).findFirst();
  }

  /** All names. */
  public static List<String> names() {
    return Arrays.stream(values()).map(LogTool::toolName).toList();
  }
}
