package io.orrery.traces.imports;

import java.util.List;
import java.util.Locale;

/** What kind of tool a name stands for. Names themselves are not kept. */
enum ToolClass {
  MCP("mcp__", "mcp."),
  AGENT("task", "agent", "subagent", "spawn"),
  WEB("webfetch", "websearch", "web_", "browser", "fetch"),
  SEARCH("grep", "glob", "search", "find", "list", "ls"),
  EDIT("edit", "write", "patch", "notebook"),
  READ("read", "view", "cat", "open"),
  SHELL("bash", "shell", "exec", "terminal", "command"),
  PLAN("todo", "plan");

  private static final String OTHER = "other";

  private final List<String> signs;

  ToolClass(String... signs) {
    this.signs = List.of(signs);
  }

  /** The class of a tool, in lower case. */
  static String of(String toolName) {
    String name = toolName.toLowerCase(Locale.ROOT);
    for (ToolClass kind : values()) {
      if (kind.signs.stream()
          .anyMatch(sign -> kind == MCP ? name.startsWith(sign) : name.contains(sign))) {
        return kind.name().toLowerCase(Locale.ROOT);
      }
    }
    return OTHER;
  }
}
