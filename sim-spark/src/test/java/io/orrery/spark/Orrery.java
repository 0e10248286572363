package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands inside the test, with the tests' Spark. */
final class Orrery {
  private Orrery() {}

  /** What a command did. */
  record Outcome(int status, String out, String err) {
    Outcome succeeded() {
      assertThat(status).as(err).isZero();
      return this;
    }
  }

  static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), args);
    return new Outcome(status, out.toString(), err.toString());
  }

  /** With {@code --engine spark}. */
  static Outcome onSpark(String... args) {
    Sparks.session();
    return run(SparkMain.withEngine(args));
  }
}
