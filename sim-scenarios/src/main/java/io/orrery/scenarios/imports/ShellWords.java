package io.orrery.scenarios.imports;

import java.util.ArrayList;
import java.util.List;

/** Splits a script into commands and these into words, as a shell does with simple ones. */
final class ShellWords {
  private ShellWords() {}

  /**
   * The commands, a list of words each: lines, with continued lines joined and comments left out.
   */
  static List<List<String>> commands(String script) {
    List<List<String>> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < script.length(); i++) {
      char c = script.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\\' && i + 1 < script.length()) {
        char next = script.charAt(++i);
        if (next == '\r' && i + 1 < script.length() && script.charAt(i + 1) == '\n') {
          i++;
        } else if (next != '\n') {
          word.append(next);
          inWord = true;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (c == '#' && !inWord) {
        while (i + 1 < script.length() && script.charAt(i + 1) != '\n') {
          i++;
        }
      } else if (Character.isWhitespace(c) || c == ';' || c == '&') {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
          inWord = false;
        }
        if ((c == '\n' || c == ';' || c == '&') && !words.isEmpty()) {
          commands.add(words);
          words = new ArrayList<>();
        }
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (inWord) {
      words.add(word.toString());
    }
    if (!words.isEmpty()) {
      commands.add(words);
    }
    return commands;
  }
}
