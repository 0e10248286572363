package io.orrery.cli;

import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.policy.InvalidPluginException;
import io.orrery.engine.policy.PolicyFactory;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.routing.RoutingPolicyFactory;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * Policies from a folder. They are found by {@link ServiceLoader}, as those on the class path are,
 * through the thread's context class loader; {@link Main} puts that back when the command is over.
 */
final class Plugins {
  private static final String SERVICES = "META-INF/services";

  private final List<Path> folders = new ArrayList<>();

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = {
        "Also take routing and admission policies from the .jar files in this folder, or from classes"
            + " in it; may be repeated."
      })
  void folder(Path folder) {
    folders.add(folder);
    List<URL> places = places(folder);
    ClassLoader parent = Thread.currentThread().getContextClassLoader();
    URLClassLoader loader = new URLClassLoader(places.toArray(URL[]::new), parent);
    List<PolicyFactory> found = new ArrayList<>();
    try {
      ServiceLoader.load(RoutingPolicyFactory.class, loader).forEach(found::add);
      ServiceLoader.load(AdmissionPolicyFactory.class, loader).forEach(found::add);
      Thread.currentThread().setContextClassLoader(loader);
      RoutingPolicies.all();
      AdmissionPolicies.all();
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new UsageException("--plugins: " + folder + ": " + reason(e));
    } catch (InvalidPluginException e) {
      throw new UsageException("--plugins: " + folder + ": " + e.getMessage());
    }
    if (found.stream().noneMatch(policy -> policy.getClass().getClassLoader() == loader)) {
      throw new UsageException(
          "--plugins: "
              + folder
              + ": found no policies, expected "
              + SERVICES
              + "/"
              + RoutingPolicyFactory.class.getName()
              + " or "
              + AdmissionPolicyFactory.class.getName()
              + " in a .jar file or the folder");
    }
  }

  /** Tells these policies from others of the same names: a digest of all files, empty without. */
  String digest() {
    if (folders.isEmpty()) {
      return "";
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path folder : folders) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
            digest.update(folder.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
          }
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UsageException("--plugins: " + folders + ": " + IoReason.of(e));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The files that other processes need for the same policies.
   *
   * @throws UsageException if there are classes that are in no file
   */
  List<Path> jars() {
    List<Path> jars = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder.resolve(SERVICES))) {
        throw new UsageException(
            "--plugins: found classes in " + folder + ", expected .jar files with --engine spark");
      }
      jars.addAll(jars(folder));
    }
    return jars;
  }

  /** Puts the class loader back, and closes what was opened since. */
  static void close(ClassLoader before) {
    ClassLoader opened = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(before);
    while (opened != before && opened instanceof URLClassLoader loader) {
      opened = loader.getParent();
      try {
        loader.close();
      } catch (IOException e) {
        // A file that was only read; nothing is lost if it stays open.
        continue;
      }
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure.getMessage() + (cause == null ? "" : " (" + cause + ")");
  }

  private static List<URL> places(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "--plugins: found " + folder + ", expected a folder with .jar files or classes");
    }
    List<Path> places = new ArrayList<>(jars(folder));
    if (Files.isDirectory(folder.resolve(SERVICES))) {
      places.add(folder);
    }
    return places.stream().map(Plugins::url).toList();
  }

  private static List<Path> jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UsageException("--plugins: " + folder + ": " + IoReason.of(e));
    }
  }

  private static URL url(Path place) {
    try {
      return place.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
