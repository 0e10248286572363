package io.orrery.spark;

import io.orrery.reports.work.WorkEngine;
import io.orrery.reports.work.WorkEngineProvider;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** Starts Spark, or uses the session that this process has. */
public final class SparkEngineProvider implements WorkEngineProvider {
  private static final String MASTER = "spark.master";
  private static final String OWN_MACHINE = "127.0.0.1";

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public WorkEngine start(Optional<String> master, List<Path> plugins) {
    Optional<SparkSession> running = running();
    if (running.isPresent()) {
      String there = running.get().sparkContext().master();
      if (master.isPresent() && !master.get().equals(there)) {
        throw new IllegalArgumentException(
            "found " + master.get() + ", but this process has a Spark on " + there);
      }
      return new SparkEngine(running.get(), false, plugins);
    }
    SparkSession session = SparkSession.builder().config(configuration(master)).getOrCreate();
    return new SparkEngine(session, true, plugins);
  }

  private static Optional<SparkSession> running() {
    scala.Option<SparkSession> session = SparkSession.getDefaultSession();
    return session.isDefined() && !session.get().sparkContext().isStopped()
        ? Optional.of(session.get())
        : Optional.empty();
  }

  private static SparkConf configuration(Optional<String> master) {
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "orrery");
    master.ifPresent(url -> conf.set(MASTER, url));
    conf.setIfMissing(MASTER, "local[*]");
    String url = conf.get(MASTER).toLowerCase(Locale.ROOT);
    if (!url.matches("(local|spark:|yarn|k8s:).*")) {
      throw new IllegalArgumentException(
          "found "
              + conf.get(MASTER)
              + ", expected local[N], spark://HOST:PORT, yarn or k8s://URL");
    }
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.setIfMissing("spark.ui.showConsoleProgress", "false");
    // It looks into classes that Java 17 keeps closed.
    conf.setIfMissing("spark.serializer.extraDebugInfo", "false");
    if (url.startsWith("local")) {
      conf.setIfMissing("spark.driver.host", OWN_MACHINE);
      conf.setIfMissing("spark.driver.bindAddress", OWN_MACHINE);
      conf.setIfMissing("spark.sql.shuffle.partitions", "8");
    } else if (!conf.contains("spark.jars")) {
      ownJar().ifPresent(jar -> conf.set("spark.jars", jar));
    }
    // A point is minutes of work at most, and its task's overhead a few milliseconds.
    conf.setIfMissing("spark.locality.wait", "0s");
    return conf;
  }

  /** The file that these classes are from, if they are from one. */
  private static Optional<String> ownJar() {
    CodeSource source = SparkEngineProvider.class.getProtectionDomain().getCodeSource();
    try {
      return Optional.ofNullable(source)
              .map(CodeSource::getLocation)
              .filter(place -> place.getPath().endsWith(".jar"))
              .isPresent()
          ? Optional.of(Path.of(source.getLocation().toURI()).toString())
          : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
