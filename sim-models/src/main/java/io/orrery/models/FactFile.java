package io.orrery.models;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a data file of the catalogue. The file is a JSON object of named entries; an entry is an
 * object of facts:
 *
 * <pre>{@code
 * "h20": {
 *   "source": "where every value comes from that does not say otherwise",
 *   "notes": ["a remark about the confidence of the whole entry"],
 *   "hbmBytesPerSecond": {"value": 4.0e12, "source": "...", "confidence": "low", "note": "..."},
 *   "nvlinkDomainGpus": 8
 * }
 * }</pre>
 *
 * Every value has a source; "confidence" is "low" or absent. Anything else is an error that names
 * file and line.
 */
final class FactFile {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String file;
  private final JsonParser parser;

  private FactFile(String file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** Reads all entries, in file order, keyed by name. */
  static Map<String, FactSheet> read(String file, InputStream in) {
    try (JsonParser parser = JSON.createParser(in)) {
      return new FactFile(file, parser).sheets();
    } catch (IOException e) {
      throw new CatalogException(file + ": " + e.getMessage(), e);
    }
  }

  private Map<String, FactSheet> sheets() throws IOException {
    Map<String, FactSheet> sheets = new LinkedHashMap<>();
    expect(parser.nextToken(), JsonToken.START_OBJECT, "an object of named entries");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      sheets.put(name, sheet(name));
    }
    if (parser.nextToken() != null) {
      throw error("text after the end");
    }
    return sheets;
  }

  private FactSheet sheet(String name) throws IOException {
    int line = line();
    expect(parser.nextToken(), JsonToken.START_OBJECT, "an object of facts");
    Map<String, Fact> facts = new LinkedHashMap<>();
    List<String> remarks = List.of();
    String source = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken token = parser.nextToken();
      switch (field) {
        case "source" -> source = string(token);
        case "notes" -> remarks = strings(token);
        case "title" -> facts.put(field, new Fact(string(token), "name", false, "", line()));
        default -> facts.put(field, fact(token, source));
      }
      Fact fact = facts.get(field);
      if (fact != null && fact.source().isEmpty()) {
        throw error(name + "." + field + " has no source");
      }
    }
    return new FactSheet(file, name, line, facts, remarks);
  }

  private Fact fact(JsonToken token, String inheritedSource) throws IOException {
    int line = line();
    if (token != JsonToken.START_OBJECT) {
      return new Fact(scalar(token), inheritedSource, false, "", line);
    }
    Object value = null;
    boolean hasValue = false;
    String source = inheritedSource;
    boolean low = false;
    String note = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken next = parser.nextToken();
      switch (key) {
        case "value" -> {
          value = scalar(next);
          hasValue = true;
        }
        case "source" -> source = string(next);
        case "note" -> note = string(next);
        case "confidence" -> {
          if (!string(next).equals("low")) {
            throw error("found confidence '" + parser.getText() + "', expected 'low'");
          }
          low = true;
        }
        default ->
            throw error(
                Names.unknown("key", key, List.of("value", "source", "confidence", "note")));
      }
    }
    if (!hasValue) {
      throw error("a fact without a value");
    }
    if (low && note.isEmpty()) {
      throw error("a low-confidence fact without a note that says why");
    }
    return new Fact(value, source, low, note, line);
  }

  private @Nullable Object scalar(JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      default -> throw error("found " + token + ", expected a number, a string or a flag");
    };
  }

  private String string(JsonToken token) throws IOException {
    expect(token, JsonToken.VALUE_STRING, "a string");
    return parser.getText();
  }

  private List<String> strings(JsonToken token) throws IOException {
    expect(token, JsonToken.START_ARRAY, "a list of strings");
    List<String> strings = new ArrayList<>();
    JsonToken next = parser.nextToken();
    while (next != JsonToken.END_ARRAY) {
      strings.add(string(next));
      next = parser.nextToken();
    }
    return List.copyOf(strings);
  }

  private void expect(@Nullable JsonToken found, JsonToken wanted, String expected) {
    if (found != wanted) {
      throw error("found " + found + ", expected " + expected);
    }
  }

  private CatalogException error(String message) {
    return new CatalogException(file + ":" + line() + ": " + message);
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }
}
