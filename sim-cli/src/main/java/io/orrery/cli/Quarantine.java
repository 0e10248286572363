package io.orrery.cli;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.traces.BadRecords;
import io.orrery.traces.TraceException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Writes records that cannot be read into a file as they come, each an object in a line, with its
 * place and what is wrong with it.
 */
final class Quarantine implements BadRecords, Closeable {
  private final JsonGenerator json;
  private long count;

  Quarantine(Path file) throws IOException {
    json =
        new JsonFactory()
            .setRootValueSeparator("")
            .createGenerator(file.toFile(), JsonEncoding.UTF8);
  }

  @Override
  public void take(String file, long line, String text, TraceException why) {
    try {
      json.writeStartObject();
      json.writeStringField("file", file);
      json.writeNumberField("line", line);
      json.writeStringField("why", String.valueOf(why.getMessage()));
      json.writeStringField("text", text);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    count++;
  }

  /** How many there are. */
  long count() {
    return count;
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
