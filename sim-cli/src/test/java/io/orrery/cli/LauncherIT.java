package io.orrery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code orrery} script, in an installation of its own: the script and the jar, no sources. */
class LauncherIT {
  private static final Path SCRIPT = Path.of("orrery").toAbsolutePath();
  private static final Path JAR = Path.of("sim-cli/target/orrery.jar").toAbsolutePath();

  @TempDir Path folder;
  private Path home;
  private Path cache;

  @BeforeEach
  void install() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "skipped: the launcher needs bash");
    cache = folder.resolve("cache");
    installIn("a folder with spaces");
  }

  private void installIn(String name) throws IOException {
    home = folder.resolve(name);
    Files.createDirectories(home.resolve("sim-cli/target"));
    Files.copy(SCRIPT, home.resolve("orrery")).toFile().setExecutable(true);
    Files.copy(JAR, home.resolve("sim-cli/target/orrery.jar"));
  }

  @Test
  void runsFromAnyFolderThroughASymbolicLink() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path link =
        Files.createSymbolicLink(bin.resolve("o"), Path.of("../a folder with spaces/orrery"));

    Outcome outcome = run(folder, Map.of("ORRERY_ARCHIVE", "never"), link, "--version");

    assertThat(outcome).isEqualTo(new Outcome(0, "orrery " + Version.current() + "\n", ""));
  }

  @Test
  void passesTheExitCodeThrough() throws Exception {
    Outcome outcome = run(folder, Map.of("ORRERY_ARCHIVE", "never"), script(), "no-such-command");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("no-such-command");
  }

  @Test
  void handsArgumentsAndTerminalsOver() throws Exception {
    String seen = run(folder, fakeJava("17.0.15"), script(), "run", "a b", "", "*").out();

    assertThat(seen)
        .contains(
            "[-Dorrery.stdout.tty=false]", "[-Dorrery.stderr.tty=false]", "[-XX:+UseSerialGC]")
        .contains("[-Dfile.encoding=UTF-8]")
        .endsWith("[io.orrery.cli.Main][run][a b][][*]LC_ALL=C.UTF-8\n");
  }

  @Test
  void shortCommandsSkipTheOptimisingCompiler() throws Exception {
    for (String[] arguments :
        new String[][] {
          {},
          {"--version"},
          {"validate", "x"},
          {"run", "-h"},
          {"run", "x.yaml"},
          {"trace", "synthesize", "--requests", "200000", "-o", "x"}
        }) {
      assertThat(run(folder, fakeJava("17.0.15"), script(), arguments).out())
          .contains("[-XX:TieredStopAtLevel=1]");
    }
  }

  @Test
  void runsOverLargeTracesUseIt() throws Exception {
    Path large = folder.resolve("large trace.jsonl");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(70L << 20); // a hole: it takes no space
    }
    Path table = folder.resolve("large.parquet");
    try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
      file.setLength(9L << 20);
    }
    Path scenario =
        Files.writeString(folder.resolve("s.yaml"), "trace: {files: [\"large.parquet\"]}\n");
    for (String[] arguments :
        new String[][] {
          {"run", "--trace", large.toString()},
          {"run", "--trace=" + large},
          {"run", "--trace", folder.toString()},
          {"run", "--trace", table.toString()},
          {"run", scenario.toString()},
          {"trace", "stats", large.toString()},
          {"trace", "synthesize", "--requests", "1000000", "-o", "x"},
          {"trace", "synthesize", "--requests=12345678", "-o", "x"}
        }) {
      assertThat(run(folder, fakeJava("17.0.15"), script(), arguments).out())
          .doesNotContain("TieredStopAtLevel");
    }
  }

  @Test
  void ownOptionsComeLastAndMayChooseTheCollector() throws Exception {
    Map<String, String> environment = fakeJava("17.0.15");
    environment.put("ORRERY_JAVA_OPTS", "-Xmx9g -XX:+UseParallelGC");

    String seen = run(folder, environment, script(), "run").out();

    assertThat(seen).contains("[-Xmx9g][-XX:+UseParallelGC][-cp]").doesNotContain("UseSerialGC");
  }

  @Test
  void withoutAUsableJavaItSaysSo() throws Exception {
    assertThat(run(folder, fakeJava("11.0.2"), script(), "--version"))
        .satisfies(outcome -> assertThat(outcome.exitCode()).isEqualTo(2))
        .satisfies(outcome -> assertThat(outcome.err()).contains("Java 17 or later", "11.0.2"));
    assertThat(run(folder, fakeJava("1.8.0_402"), script(), "--version").exitCode()).isEqualTo(2);
    assertThat(run(folder, Map.of("JAVA_HOME", "/nowhere"), script(), "--version"))
        .isEqualTo(
            new Outcome(2, "", "orrery: JAVA_HOME is /nowhere, but there is no bin/java in it\n"));
  }

  @Test
  void withoutJarAndSourcesItSaysSo() throws Exception {
    Files.delete(home.resolve("sim-cli/target/orrery.jar"));

    Outcome outcome = run(folder, Map.of(), script(), "--version");

    assertThat(outcome.exitCode()).isEqualTo(70);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("orrery.jar is missing");
  }

  @Test
  void anArchiveChangesNothingButTheStart() throws Exception {
    installIn("plain"); // Java 17 finds no class in its archive where the path has a space
    Outcome first = run(folder, Map.of("ORRERY_ARCHIVE", "now"), script(), "--help");
    List<Path> archives = archives();
    assertThat(archives).hasSize(1);
    assertThat(archives.get(0).getFileName().toString())
        .startsWith(System.getProperty("java.version"));

    Map<String, String> logging = Map.of("ORRERY_JAVA_OPTS", "-Xlog:class+load:stderr");
    Outcome second = run(folder, logging, script(), "--help");
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(second.err()).contains("io.orrery.cli.Main source: shared objects file");

    // A damaged archive is passed over in silence.
    Path archive = archives.get(0);
    byte[] bytes = Files.readAllBytes(archive);
    Files.delete(archive);
    Files.write(archive, Arrays.copyOf(bytes, bytes.length / 2));
    Outcome damaged = run(folder, Map.of(), script(), "--help");
    assertThat(damaged.out()).isEqualTo(first.out());
    assertThat(damaged.exitCode()).isZero();
  }

  @Test
  void aCacheFolderThatCannotBeWrittenIsNoObstacle() throws Exception {
    Files.writeString(cache, "a file where the folder should be");

    assertThat(run(folder, Map.of("ORRERY_ARCHIVE", "now"), script(), "--version"))
        .isEqualTo(new Outcome(0, "orrery " + Version.current() + "\n", ""));
  }

  private record Outcome(int exitCode, String out, String err) {}

  private Path script() {
    return home.resolve("orrery");
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("orrery"))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).sorted().toList();
    }
  }

  /** An environment whose Java, of the given version, only prints what it is started with. */
  private Map<String, String> fakeJava(String version) throws IOException {
    Path java = folder.resolve("java " + version);
    Files.createDirectories(java.resolve("bin"));
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path binary = java.resolve("bin/java");
    Files.writeString(
        binary, "#!/bin/sh\nprintf '[%s]' \"$@\"\nprintf 'LC_ALL=%s\\n' \"$LC_ALL\"\n");
    assertThat(binary.toFile().setExecutable(true)).isTrue();
    return new TreeMap<>(Map.of("JAVA_HOME", java.toString(), "ORRERY_ARCHIVE", "never"));
  }

  private Outcome run(
      Path directory, Map<String, String> environment, Path command, String... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command.toString()));
    words.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.toUpperCase(Locale.ROOT).contains("JAVA"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("XDG_CACHE_HOME", cache.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Outcome(
        process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }
}
