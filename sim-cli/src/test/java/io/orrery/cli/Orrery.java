package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands inside the test. */
final class Orrery {
  private static final Terminal PIPE = new Terminal(false, false, false, false);

  private Orrery() {}

  /** What a command did. */
  record Outcome(int status, String out, String err) {
    /** That it succeeded; for chaining. */
    Outcome succeeded() {
      assertThat(status).as(err).isZero();
      return this;
    }

    /** What it printed, as a document; that it succeeded, too. */
    JsonNode json() {
      try {
        return new ObjectMapper().readTree(succeeded().out);
      } catch (JsonProcessingException e) {
        throw new AssertionError(out, e);
      }
    }
  }

  /** Runs a command as in a pipe. */
  static Outcome run(String... args) {
    return run(PIPE, args);
  }

  static Outcome run(Terminal terminal, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), terminal);
    int status = Main.execute(console, args);
    return new Outcome(status, out.toString(), err.toString());
  }
}
