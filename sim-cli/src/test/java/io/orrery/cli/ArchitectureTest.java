package io.orrery.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.function.Predicate;

/** What may know what: the arrows between the modules, and what keeps the engine reproducible. */
@AnalyzeClasses(packages = "io.orrery", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  /**
   * Of {@code Math}, what every machine computes alike; for the rest there is {@code StrictMath}.
   */
  private static final Set<String> EXACT_MATH =
      Set.of(
          "abs",
          "absExact",
          "addExact",
          "ceil",
          "copySign",
          "decrementExact",
          "floor",
          "floorDiv",
          "floorMod",
          "fma",
          "getExponent",
          "incrementExact",
          "max",
          "min",
          "multiplyExact",
          "multiplyFull",
          "multiplyHigh",
          "negateExact",
          "nextAfter",
          "nextDown",
          "nextUp",
          "rint",
          "round",
          "scalb",
          "signum",
          "sqrt",
          "subtractExact",
          "toIntExact",
          "ulp");

  private static final String[] REPRODUCIBLE = {"io.orrery.engine..", "io.orrery.models.."};

  @ArchTest
  static final ArchRule arrows_between_modules_point_one_way =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("cli")
          .definedBy("io.orrery.cli..")
          .layer("reports")
          .definedBy("io.orrery.reports..")
          .layer("scenarios")
          .definedBy("io.orrery.scenarios..")
          .layer("engine")
          .definedBy("io.orrery.engine..")
          .layer("models")
          .definedBy("io.orrery.models..")
          .layer("traces")
          .definedBy("io.orrery.traces..")
          .optionalLayer("parquet")
          .definedBy("io.orrery.parquet..")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("reports")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("scenarios")
          .mayOnlyBeAccessedByLayers("cli", "reports")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers("cli", "reports", "scenarios")
          .whereLayer("models")
          .mayOnlyBeAccessedByLayers("cli", "reports", "scenarios", "engine")
          .whereLayer("traces")
          .mayOnlyBeAccessedByLayers("cli", "reports", "scenarios", "engine")
          .whereLayer("parquet")
          .mayOnlyBeAccessedByLayers("cli", "reports", "scenarios", "models", "traces");

  @ArchTest
  static final ArchRule parquet_files_know_nothing_of_what_is_in_them =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.parquet..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.orrery..").and(resideOutsideOfPackage("io.orrery.parquet..")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nobody_else_knows_how_parquet_files_are_made =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.orrery.parquet..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("org.apache.parquet..", "org.apache.hadoop.."));

  /** Of all modules but that one, which has this one on its class path and not the other way. */
  @ArchTest
  static final ArchRule nothing_depends_on_spark =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.orrery.spark..", "org.apache.spark..", "scala.."));

  @ArchTest
  static final ArchRule the_engine_knows_no_file_format_no_command_line_and_no_screen =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.engine..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "com.fasterxml..",
                  "org.yaml..",
                  "io.airlift..",
                  "io.orrery.parquet..",
                  "picocli..",
                  "java.awt..",
                  "javax.swing..",
                  "javax.imageio..",
                  "java.io..",
                  "java.nio.file..",
                  "java.net.."));

  @ArchTest
  static final ArchRule the_models_know_no_command_line_and_no_screen =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.models..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.yaml..", "picocli..", "java.awt..", "javax.swing.."));

  @ArchTest
  static final ArchRule results_do_not_depend_on_the_wall_clock =
      noClasses()
          .that()
          .resideInAnyPackage(REPRODUCIBLE)
          .should()
          .accessTargetWhere(
              uses(
                  "the wall clock",
                  target ->
                      isOneOf(target, "java.lang.System", "nanoTime", "currentTimeMillis")
                          || target.getOwner().getPackageName().startsWith("java.time")
                              && target.getName().equals("now")
                          || target.getOwner().isAssignableTo("java.time.Clock")));

  @ArchTest
  static final ArchRule results_do_not_depend_on_a_random_source_without_a_key =
      noClasses()
          .that()
          .resideInAnyPackage(REPRODUCIBLE)
          .should()
          .dependOnClassesThat(
              describe(
                  "draw random numbers from a sequence",
                  type ->
                      type.getPackageName().equals("java.util.random")
                          || type.isAssignableTo("java.util.Random")
                          || type.isAssignableTo("java.util.SplittableRandom")))
          .orShould()
          .accessTargetWhere(
              uses(
                  "an unseeded source",
                  target ->
                      isOneOf(target, "java.lang.Math", "random")
                          || isOneOf(target, "java.util.UUID", "randomUUID")
                          || isOneOf(target, "java.util.Collections", "shuffle")));

  @ArchTest
  static final ArchRule results_do_not_depend_on_the_order_of_a_hash =
      noClasses()
          .that()
          .resideInAnyPackage(REPRODUCIBLE)
          .should()
          .accessTargetWhere(
              uses(
                  "a collection in hash order, or a hash that differs from run to run",
                  target ->
                      isOneOf(target, "java.util.HashMap", "<init>")
                          || isOneOf(target, "java.util.HashSet", "<init>")
                          || isOneOf(target, "java.util.IdentityHashMap", "<init>")
                          || isOneOf(target, "java.util.Map", "of", "ofEntries", "copyOf")
                          || isOneOf(target, "java.util.Set", "of", "copyOf")
                          || isOneOf(target, "java.lang.System", "identityHashCode")));

  @ArchTest
  static final ArchRule results_do_not_depend_on_the_processors_mathematics =
      noClasses()
          .that()
          .resideInAnyPackage(REPRODUCIBLE)
          .should()
          .accessTargetWhere(
              uses(
                  "Math, where StrictMath gives the same on every machine",
                  target ->
                      target.getOwner().isEquivalentTo(Math.class)
                          && !EXACT_MATH.contains(target.getName())));

  private static DescribedPredicate<JavaAccess<?>> uses(
      String what, Predicate<AccessTarget> targets) {
    return describe(what, access -> targets.test(access.getTarget()));
  }

  private static boolean isOneOf(AccessTarget target, String owner, String... names) {
    return target.getOwner().getName().equals(owner) && Set.of(names).contains(target.getName());
  }
}
