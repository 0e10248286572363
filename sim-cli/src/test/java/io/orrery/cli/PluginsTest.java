package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies from elsewhere: the example project, and policies that break their contract. */
class PluginsTest {
  private static final Path EXAMPLE = Path.of("docs/examples/policy-plugin");
  private static final String ROUTING = "io.orrery.engine.routing.RoutingPolicyFactory";
  private static final String ADMISSION = "io.orrery.engine.admission.AdmissionPolicyFactory";

  @TempDir Path folder;
  private Path scenario;

  @BeforeEach
  void writeScenario() throws IOException {
    Path trace = SmallTrace.write(folder.resolve("small.jsonl"));
    scenario =
        Files.writeString(
            folder.resolve("small.yaml"),
            "trace: {files: ["
                + trace.getFileName()
                + "], format: mooncake, blockSize: 64}\ncluster: {pools: [{workers: 2}]}\n");
  }

  private static void compile(List<Path> sources, Path classes) throws IOException {
    Files.createDirectories(classes);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> arguments =
        List.of(
            "--release",
            "17",
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString());
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                arguments,
                null,
                compiler
                    .getStandardFileManager(null, null, null)
                    .getJavaFileObjectsFromPaths(sources))
            .call();
    assertThat(compiled).as(said.toString()).isTrue();
  }

  private static List<Path> files(Path below) throws IOException {
    try (Stream<Path> walk = Files.walk(below)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** What {@code mvn package} makes of the example. */
  private Path exampleJar() throws IOException {
    Path classes = folder.resolve("classes");
    compile(files(EXAMPLE.resolve("src/main/java")), classes);
    Path target = Files.createDirectories(folder.resolve("target"));
    Path resources = EXAMPLE.resolve("src/main/resources");
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(target.resolve("policy-plugin-1.0.jar")))) {
      for (Path root : List.of(classes, resources)) {
        for (Path file : files(root)) {
          jar.putNextEntry(new JarEntry(root.relativize(file).toString().replace('\\', '/')));
          jar.write(Files.readAllBytes(file));
        }
      }
    }
    return target;
  }

  private Outcome run(Path plugins, String... settings) {
    List<String> arguments =
        new ArrayList<>(List.of("run", scenario.toString(), "--plugins", plugins.toString()));
    for (String setting : settings) {
      arguments.add("--set");
      arguments.add(setting);
    }
    arguments.add("-o");
    arguments.add(folder.resolve("out").toString());
    return Orrery.run(arguments.toArray(String[]::new));
  }

  @Test
  void theExampleIsBuiltAndRun() throws IOException {
    Path jar = exampleJar();
    assertThat(Orrery.run("catalog", "policies", "--plugins", jar.toString()).succeeded().out())
        .contains("fewest-sessions", "long-prompts-wait", "kv-aware", "dynamo-native");
    Outcome run =
        run(
            jar,
            "routing.policy=fewest-sessions",
            "admission.policy=long-prompts-wait",
            "admission.tokens=500",
            "admission.atOnce=1");
    assertThat(run.succeeded().out()).contains("pause by admission");
    String summary = Files.readString(folder.resolve("out/summary.json"));
    assertThat(summary).containsPattern("\"completed\": ?40").containsPattern("\"held\": ?[1-9]");
    // Afterwards nobody knows them any more.
    assertThat(Orrery.run("catalog", "policies").succeeded().out())
        .doesNotContain("fewest-sessions");
  }

  @Test
  void theExamplesParametersAreChecked() throws IOException {
    Outcome run = run(exampleJar(), "admission.policy=long-prompts-wait", "admission.atonce=1");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("admission.atonce", "did you mean atOnce?");
  }

  @Test
  void theExamplesProjectFileSaysWhatItNeeds() throws IOException {
    String project = Files.readString(EXAMPLE.resolve("pom.xml"));
    String version =
        Files.readString(Path.of("pom.xml"))
            .replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
    assertThat(project)
        .contains("<artifactId>sim-engine</artifactId>", "<scope>provided</scope>")
        .contains("<orrery.version>" + version + "</orrery.version>");
  }

  /** A folder of classes with one policy: a factory called Broken, whose body is given. */
  private Path broken(String service, String name, String policy) throws IOException {
    boolean routes = service.equals(ROUTING);
    String kind = routes ? "Routing" : "Admission";
    String packageName = "io.orrery.engine." + kind.toLowerCase(Locale.ROOT);
    String source =
        "package broken;\n"
            + "import "
            + packageName
            + ".*;\n"
            + "import io.orrery.engine.routing.*;\n"
            + "import io.orrery.engine.policy.*;\n"
            + "public final class Broken implements "
            + kind
            + "PolicyFactory {\n"
            + "  public String name() { return "
            + name
            + "; }\n"
            + "  public String summary() { return \"Broken.\"; }\n"
            + "  public java.util.List<PolicyParameter> parameters() { return java.util.List.of(); }\n"
            + "  public "
            + kind
            + "Policy create("
            + kind
            + "Context context) { return "
            + policy
            + "; }\n}\n";
    Path file = Files.createDirectories(folder.resolve("source/broken")).resolve("Broken.java");
    Files.writeString(file, source);
    Path classes = folder.resolve("plugin");
    compile(List.of(file), classes);
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(services.resolve(service), "broken.Broken\n");
    return classes;
  }

  private void assertStoppedCleanly(Outcome run, String... message) {
    assertThat(run.status()).as(run.out() + run.err()).isEqualTo(70);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message).doesNotContain("please report");
    assertThat(folder.resolve("out")).doesNotExist();
    assertThat(folder.toFile().list((at, name) -> name.contains("out"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(request, candidates) -> { throw new IllegalStateException(\"no idea\"); }"
            + "| asked about request s0#0, threw java.lang.IllegalStateException: no idea at broken.Broken",
        "(request, candidates) -> 2 | asked about request s0#0, chose candidate 2, expected one below 2",
        "(request, candidates) -> -7 | asked about request s0#0, chose candidate -7",
        "(request, candidates) -> candidates.get(9).id() | threw java.lang.ArrayIndexOutOfBoundsException",
        "null | made null in place of a policy",
        "(request, candidates) -> (int) (1 / context.number(\"weight\"))"
            + "| routing policy 'broken' declares no number 'weight'"
      })
  void aRoutingPolicyThatBreaksItsContractIsNamed(String policy, String fault) throws IOException {
    Outcome run = run(broken(ROUTING, "\"broken\"", policy), "routing.policy=broken");
    assertStoppedCleanly(run, "routing policy 'broken'", fault.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "request -> null | asked about request s0#0, returned null",
        "request -> Verdict.admit(2, 0, \"x\") | asked about request s0#0, sent it to worker 2, of 2",
        "request -> Verdict.admit(0, Double.NaN, \"x\") | gave it a priority jump of NaN s",
        "request -> Verdict.hold(\"x\") | asked about request s0#0, leaves it waiting for ever: held since 0 ns",
        "request -> { throw new AssertionError(\"no\"); } | asked about request s0#0, threw java.lang.AssertionError: no at broken",
        "request -> { context.gate().release(77, Verdict.ADMIT); return Verdict.ADMIT; }"
            + "| asked about request 77, released it, although it is not held",
        "new AdmissionPolicy() {"
            + " public Verdict arrived(RoutedRequest request) { return Verdict.hold(\"x\"); }"
            + " public long nextTickNanos() { return 0; } }"
            + "| asked for a tick at 0 ns, expected after the present",
        "new AdmissionPolicy() { long last;"
            + " public Verdict arrived(RoutedRequest request) { return Verdict.hold(\"x\"); }"
            + " public long nextTickNanos() { return last + 1_000_000_000_000L; }"
            + " public void tick(long now) { last = now; } }"
            + "| leaves it waiting for ever: held since",
        "new AdmissionPolicy() { long last;"
            + " public Verdict arrived(RoutedRequest request) { return Verdict.ADMIT; }"
            + " public long nextTickNanos() { return last + 1; }"
            + " public void tick(long now) { last = now; } }"
            + "| ticks between 0 and "
      })
  void anAdmissionPolicyThatBreaksItsContractIsNamed(String policy, String fault)
      throws IOException {
    Outcome run = run(broken(ADMISSION, "\"broken\"", policy), "admission.policy=broken");
    assertStoppedCleanly(run, "admission policy 'broken'", fault.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "io.orrery.engine.routing.RoutingPolicyFactory | \"kv-aware\""
            + "| routing policy 'kv-aware' is declared twice, by",
        "io.orrery.engine.admission.AdmissionPolicyFactory | \"none\""
            + "| admission policy 'none' is declared twice, by",
        "io.orrery.engine.admission.AdmissionPolicyFactory | \"Not Good\""
            + "| found the name Not Good, expected one as my-policy",
        "io.orrery.engine.routing.RoutingPolicyFactory | null | found the name null"
      })
  void aNameThatIsTakenOrNoneIsRefused(String service, String name, String fault)
      throws IOException {
    Outcome run = run(broken(service.strip(), name.strip(), "null"));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("orrery: --plugins: ").contains(fault.strip());
  }

  @Test
  void aFolderWithoutPoliciesIsRefused() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertThat(run(empty).err()).startsWith("orrery: --plugins: ").contains("found no policies");
    assertThat(run(folder.resolve("nowhere")).err()).contains("expected a folder");
    Files.createDirectories(empty.resolve("META-INF/services"));
    Files.writeString(empty.resolve("META-INF/services/" + ROUTING), "not.There\n");
    Outcome run = run(empty);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("not.There not found");
  }
}
