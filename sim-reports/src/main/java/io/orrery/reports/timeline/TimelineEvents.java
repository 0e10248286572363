package io.orrery.reports.timeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;

/**
 * Writes events of the Trace Event Format (Chrome's "Trace Event Format" document, JSON array of
 * objects), one a line with commas between them. Times are microseconds with three decimals.
 */
final class TimelineEvents {
  private final JsonGenerator json;
  private long count;

  TimelineEvents(Writer out) {
    try {
      json = new JsonFactory().createGenerator(out);
      json.setPrettyPrinter(new MinimalPrettyPrinter(",\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Events written so far. */
  long count() {
    return count;
  }

  /** Writes the arguments of an event. */
  interface Arguments {
    void write(JsonGenerator json) throws IOException;
  }

  static final Arguments NONE = json -> {};

  /** The name of a process, or of a thread if {@code what} is {@code thread_name}. */
  void name(String what, int process, String name) {
    write("M", what, process, 0, arguments -> arguments.writeStringField("name", name));
  }

  /** Something that a track did from one moment to another. */
  void span(String name, int process, long from, long to, Arguments arguments) {
    open("X", name, process, from);
    time("dur", to - from);
    close(arguments);
  }

  /** A moment on a track. */
  void moment(String name, int process, long now, Arguments arguments) {
    open("i", name, process, now);
    text("s", "t");
    close(arguments);
  }

  /** A span of a request begins; spans of one {@code id} lie within each other. */
  void begin(String name, int process, String id, long now, Arguments arguments) {
    asynchronous("b", name, process, id, now, arguments);
  }

  /** A span of a request ends. */
  void end(String name, int process, String id, long now) {
    asynchronous("e", name, process, id, now, NONE);
  }

  private void asynchronous(
      String phase, String name, int process, String id, long now, Arguments arguments) {
    open(phase, name, process, now);
    text("cat", "request");
    text("id", id);
    close(arguments);
  }

  private void write(String phase, String name, int process, long now, Arguments arguments) {
    open(phase, name, process, now);
    close(arguments);
  }

  private void open(String phase, String name, int process, long now) {
    count++;
    try {
      json.writeStartObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    text("ph", phase);
    text("name", name);
    try {
      json.writeNumberField("pid", process);
      json.writeNumberField("tid", 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    time("ts", now);
  }

  private void text(String field, String value) {
    try {
      json.writeStringField(field, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void time(String field, long nanos) {
    try {
      json.writeNumberField(field, BigDecimal.valueOf(nanos, 3));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void close(Arguments arguments) {
    try {
      if (arguments != NONE) {
        json.writeObjectFieldStart("args");
        arguments.write(json);
        json.writeEndObject();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void flush() {
    try {
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
