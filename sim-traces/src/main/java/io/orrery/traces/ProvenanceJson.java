package io.orrery.traces;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A provenance as JSON text, for the metadata of Orrery's own format. */
final class ProvenanceJson {
  private static final JsonFactory JSON = new JsonFactory();

  private ProvenanceJson() {}

  static String write(TraceProvenance provenance) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("format", provenance.format());
      json.writeArrayFieldStart("files");
      for (TraceProvenance.SourceFile file : provenance.files()) {
        json.writeStartObject();
        json.writeStringField("name", file.name());
        json.writeNumberField("bytes", file.bytes());
        json.writeStringField("sha256", file.sha256());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeStringField("time_unit", provenance.timeUnit());
      json.writeStringField("partial_blocks", provenance.partialBlockRule());
      json.writeStringField("time_basis", provenance.timeBasis());
      json.writeStringField("turns", provenance.turnSemantics());
      json.writeObjectFieldStart("counters");
      for (Map.Entry<String, Long> counter : provenance.counters().entrySet()) {
        json.writeNumberField(counter.getKey(), counter.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("notes");
      for (String note : provenance.notes()) {
        json.writeString(note);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /**
   * The provenance that {@link #write} has written.
   *
   * @throws IOException where the text is no such JSON
   */
  static TraceProvenance read(String text, int blockSize) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    List<TraceProvenance.SourceFile> files = new ArrayList<>();
    Map<String, Long> counters = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      for (String field; (field = json.nextFieldName()) != null; ) {
        JsonToken value = json.nextToken();
        switch (field) {
          case "files" -> readFiles(json, files);
          case "counters" -> {
            for (String name; (name = json.nextFieldName()) != null; ) {
              counters.put(name, json.nextLongValue(0));
            }
          }
          case "notes" -> {
            while (value == JsonToken.START_ARRAY && json.nextToken() == JsonToken.VALUE_STRING) {
              notes.add(json.getText());
            }
          }
          default -> texts.put(field, json.getText());
        }
      }
    }
    return new TraceProvenance(
        texts.getOrDefault("format", "unknown"),
        files,
        blockSize,
        texts.getOrDefault("time_unit", "ns"),
        texts.getOrDefault("partial_blocks", "unknown"),
        texts.getOrDefault("time_basis", "unknown"),
        texts.getOrDefault("turns", "unknown"),
        counters,
        notes);
  }

  private static void readFiles(JsonParser json, List<TraceProvenance.SourceFile> files)
      throws IOException {
    while (json.nextToken() == JsonToken.START_OBJECT) {
      String name = "";
      long bytes = 0;
      String sha256 = "";
      for (String field; (field = json.nextFieldName()) != null; ) {
        json.nextToken();
        switch (field) {
          case "name" -> name = json.getText();
          case "bytes" -> bytes = json.getLongValue();
          case "sha256" -> sha256 = json.getText();
          default -> json.skipChildren();
        }
      }
      files.add(new TraceProvenance.SourceFile(name, bytes, sha256));
    }
  }
}
