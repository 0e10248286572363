package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs what the {@code console} blocks of a page show, one after the other. Files and folders
 * without a path are in a folder of the test; a {@code yaml} block whose first line is {@code #
 * name.yaml} is such a file. What is shown behind a command is what it prints, but for {@code #
 * exit code N}; {@code -Dorrery.regenerate=true} writes it anew.
 */
final class DocumentedCommands {
  private static final Pattern BLOCK =
      Pattern.compile("```(console|yaml)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern OWN_FILE =
      Pattern.compile("[a-z][a-z0-9.-]*(?:/|\\.(?:parquet|jsonl|html|json|xml|md|yaml))");
  private static final Pattern EXIT_CODE = Pattern.compile("# exit code (\\d+)\n");

  private final Path page;
  private final Path folder;
  private final List<String> commands = new ArrayList<>();

  private DocumentedCommands(Path page, Path folder) {
    this.page = page;
    this.folder = folder;
  }

  /** Runs the commands of a page and returns them. */
  static List<String> run(Path page, Path folder) throws IOException {
    return new DocumentedCommands(page, folder).run();
  }

  private List<String> run() throws IOException {
    String text = Files.readString(page);
    StringBuilder updated = new StringBuilder();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      String content = block.group(2);
      if (block.group(1).equals("console")) {
        content = console(content);
      } else {
        keep(content);
      }
      String replacement = "```" + block.group(1) + "\n" + content + "```";
      block.appendReplacement(updated, Matcher.quoteReplacement(replacement));
    }
    block.appendTail(updated);
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(page, updated.toString());
    }
    assertThat(Files.readString(page))
        .as(page + ", which -Dorrery.regenerate=true writes anew")
        .isEqualTo(updated.toString());
    return commands;
  }

  private void keep(String yaml) throws IOException {
    String first = yaml.substring(0, yaml.indexOf('\n'));
    if (first.startsWith("# ") && OWN_FILE.matcher(first.substring(2)).matches()) {
      String traces = Path.of("traces").toAbsolutePath() + "/";
      Files.writeString(folder.resolve(first.substring(2)), yaml.replace("../traces/", traces));
    }
  }

  private String console(String content) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String part : content.split("(?m)^\\$ ")) {
      if (!part.isEmpty()) {
        int end = part.indexOf('\n');
        String command = part.substring(0, end);
        out.append("$ ").append(command).append('\n');
        out.append(printed(command, part.substring(end + 1)));
      }
    }
    return out.toString();
  }

  /** What a command prints, if anything is shown behind it. */
  private String printed(String command, String shown) {
    assertThat(command).startsWith("./orrery ");
    commands.add(command.substring("./orrery ".length()));
    String[] words = commands.get(commands.size() - 1).split(" ");
    for (int i = 0; i < words.length; i++) {
      if (OWN_FILE.matcher(words[i]).matches()) {
        words[i] = folder.resolve(words[i]).toString();
      }
    }
    Outcome outcome = Orrery.run(words);
    Matcher exitCode = EXIT_CODE.matcher(shown);
    int expected = exitCode.lookingAt() ? Integer.parseInt(exitCode.group(1)) : 0;
    assertThat(outcome.status())
        .as(command + "\n" + outcome.out() + outcome.err())
        .isEqualTo(expected);
    return shown.isEmpty() || expected != 0
        ? shown
        : outcome.out().replace(System.lineSeparator(), "\n");
  }
}
