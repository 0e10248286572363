package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Mistakes that somebody might make are made in a copy of the sources, and the shipped gates have
 * to fail: a gate that nothing breaks is none. Each row changes one line of one class; if that line
 * is no longer there, the row has to be written anew.
 */
class SeededRegressionsIT {
  private static final Path SOURCES = Path.of("sim-engine/src/main/java/io/orrery/engine");

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "the key of affinity is dropped: every request is a session of its own"
            + "| routing/SessionAffinity.java"
            + "| : request.session();"
            + "| : request.id();"
            + "| quickstart | session-affinity: hit_rate.tokens",
        "the router's index goes stale: it never hears that blocks are gone, and of every other one that is new"
            + "| cluster/RouterIndex.java"
            + "| holders.add(first, count, worker);"
            + "| for (int i = (int) (first & 1); i < count; i += 2) { holders.add(first + i, worker); }"
            + "| effects/event-delay | at-once: ",
        "the index hears of blocks a minute late"
            + "| cluster/BlockEvents.java"
            + "| this.delayNanos = delayNanos;"
            + "| this.delayNanos = delayNanos + 60_000_000_000L;"
            + "| effects/event-delay | at-once: ",
        "the order of eviction is reversed: what was used last goes first"
            + "| cache/BlockPool.java"
            + "| queue.addLast(block);"
            + "| queue.addFirst(block);"
            + "| effects/thrashing | : hit_rate.tokens",
        "the credit for a cached block is one too high"
            + "| routing/KvAware.java"
            + "| overlapScoreCredit = context.number(\"overlapScoreCredit\");"
            + "| overlapScoreCredit = context.number(\"overlapScoreCredit\") + 1;"
            + "| effects/event-delay | at-once: ",
        "the credit for a cached block is one too low"
            + "| routing/KvAware.java"
            + "| overlapScoreCredit = context.number(\"overlapScoreCredit\");"
            + "| overlapScoreCredit = context.number(\"overlapScoreCredit\") - 1;"
            + "| effects/event-delay | at-once: ",
      })
  void failsTheGate(
      String mistake, String source, String line, String instead, String scenario, String gate)
      throws Exception {
    Path classes = broken(source, line, instead);
    String name = scenario.substring(scenario.lastIndexOf('/') + 1);
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dfile.encoding=UTF-8",
                "-cp",
                classes
                    + System.getProperty("path.separator")
                    + System.getProperty("java.class.path"),
                "io.orrery.cli.Main",
                "check",
                "scenarios/" + scenario + ".yaml",
                "--gates",
                "scenarios/gates/" + name + ".gates.yaml",
                "--baseline",
                "scenarios/gates/" + name + ".baseline.json")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int status = process.waitFor();
    String said = Files.readString(output);
    assertThat(status).as(mistake + "\n" + said).isEqualTo(1);
    assertThat(said.lines().filter(text -> text.startsWith("FAIL")))
        .as(said)
        .anyMatch(text -> text.contains(gate));
  }

  /** The classes of a source file with one line changed. */
  private Path broken(String source, String line, String instead) throws IOException {
    String text = Files.readString(SOURCES.resolve(source));
    assertThat(text.split(Pattern.quote(line), -1))
        .as("times that \"" + line + "\" is in " + source + ", and one")
        .hasSize(2);
    String name = Path.of(source).getFileName().toString();
    Path changed = Files.createDirectories(folder.resolve("source")).resolve(name);
    Files.writeString(changed, text.replace(line, instead));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        new ArrayList<>(
            List.of("--release", "17", "-proc:none", "-nowarn", "-d", classes.toString()));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                options,
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(changed))
            .call();
    assertThat(compiled).as(said.toString()).isTrue();
    return classes;
  }
}
