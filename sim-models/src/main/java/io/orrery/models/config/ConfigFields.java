package io.orrery.models.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object in a file, with the lines that they stand on. Fields that are null
 * count as absent, as Transformers has it.
 */
final class ConfigFields {
  private static final int DEEPEST = 32;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Python writes them
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  private final String file;
  private final String prefix;
  private final Map<String, Field> fields;

  /**
   * @param value a String, BigDecimal, Boolean, Double (not a number, or infinite), List or
   *     ConfigFields
   */
  private record Field(Object value, int line) {}

  private ConfigFields(String file, String prefix, Map<String, Field> fields) {
    this.file = file;
    this.prefix = prefix;
    this.fields = fields;
  }

  /**
   * Reads the object that a file consists of.
   *
   * @throws ModelConfigException if there is no such file, or it is something else
   */
  static ConfigFields read(Path path) {
    String file = path.toString();
    if (Files.isDirectory(path)) {
      throw new ModelConfigException(file + ": a folder, expected a config.json");
    }
    try (InputStream in = Files.newInputStream(path);
        JsonParser parser = JSON.createParser(in)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new ModelConfigException(
            file + ":1: found " + parser.currentToken() + ", expected a JSON object");
      }
      ConfigFields fields = object(file, "", parser);
      if (parser.nextToken() != null) {
        throw new ModelConfigException(
            file + ":" + line(parser) + ": text after the end of the object");
      }
      return fields;
    } catch (NoSuchFileException e) {
      throw new ModelConfigException(file + ": no such file, expected a config.json", e);
    } catch (com.fasterxml.jackson.core.JacksonException e) {
      throw new ModelConfigException(
          file
              + ":"
              + (e.getLocation() == null ? 1 : e.getLocation().getLineNr())
              + ": not JSON: "
              + e.getOriginalMessage(),
          e);
    } catch (CharacterCodingException e) {
      throw new ModelConfigException(file + ": not UTF-8", e);
    } catch (IOException e) {
      throw new ModelConfigException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static ConfigFields object(String file, String prefix, JsonParser parser)
      throws IOException {
    Map<String, Field> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      int line = line(parser);
      Object value = value(file, prefix + name + ".", parser, token);
      if (value != null) {
        fields.put(name, new Field(value, line));
      }
    }
    return new ConfigFields(file, prefix, fields);
  }

  private static @Nullable Object value(
      String file, String prefix, JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> object(file, prefix, parser);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        JsonToken next = parser.nextToken();
        while (next != JsonToken.END_ARRAY) {
          Object item = value(file, prefix, parser, next);
          list.add(item == null ? "null" : item);
          next = parser.nextToken();
        }
        yield list;
      }
      case VALUE_NUMBER_INT -> parser.getDecimalValue();
      case VALUE_NUMBER_FLOAT ->
          parser.isNaN() ? (Object) parser.getDoubleValue() : parser.getDecimalValue();
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      default -> null;
    };
  }

  private static int line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  String file() {
    return file;
  }

  boolean has(String field) {
    return fields.containsKey(field);
  }

  /** Where a field stands, as {@code config.json:7 hidden_size}. */
  String source(String field) {
    Field found = fields.get(field);
    return file + (found == null ? "" : ":" + found.line()) + " " + prefix + field;
  }

  /** The line that a field stands on, 1 if it is absent. */
  int line(String field) {
    Field found = fields.get(field);
    return found == null ? 1 : found.line();
  }

  /** A whole number from 1 up. */
  int positive(String field) {
    return positive(field, Integer.MAX_VALUE);
  }

  /** A whole number from 1 to that one. */
  int positive(String field, int most) {
    if (!has(field)) {
      throw missing(field, range(1, most));
    }
    return wholeOr(field, 0, 1, most);
  }

  /** A whole number from 1 up, or that value where the field is absent. */
  int positiveOr(String field, int otherwise) {
    return wholeOr(field, otherwise, 1, Integer.MAX_VALUE);
  }

  /** A whole number from 0 up, or that value where the field is absent. */
  int countOr(String field, int otherwise) {
    return countOr(field, otherwise, Integer.MAX_VALUE);
  }

  /** A whole number from 0 to the last one, or the first one where the field is absent. */
  int countOr(String field, int otherwise, int most) {
    return wholeOr(field, otherwise, 0, most);
  }

  private int wholeOr(String field, int otherwise, int least, int most) {
    Field found = fields.get(field);
    if (found == null) {
      return otherwise;
    }
    if (found.value() instanceof BigDecimal number) {
      try {
        int whole = number.intValueExact();
        if (whole >= least && whole <= most) {
          return whole;
        }
      } catch (ArithmeticException e) {
        throw wrong(field, range(least, most));
      }
    }
    throw wrong(field, range(least, most));
  }

  private static String range(int least, int most) {
    return "a whole number from " + least + (most == Integer.MAX_VALUE ? " up" : " to " + most);
  }

  /** A flag, or that value where the field is absent. */
  boolean flagOr(String field, boolean otherwise) {
    Field found = fields.get(field);
    if (found == null) {
      return otherwise;
    }
    if (found.value() instanceof Boolean flag) {
      return flag;
    }
    throw wrong(field, "true or false");
  }

  /** A text, or that value where the field is absent. */
  String textOr(String field, String otherwise) {
    Field found = fields.get(field);
    if (found == null) {
      return otherwise;
    }
    if (found.value() instanceof String text) {
      return text;
    }
    throw wrong(field, "a text");
  }

  /** A list of texts, empty where the field is absent. */
  List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(field)) {
      if (!(item instanceof String text)) {
        throw wrong(field, "a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  /** A list of whole numbers, empty where the field is absent. */
  List<Integer> numbers(String field) {
    List<Integer> numbers = new ArrayList<>();
    for (Object item : list(field)) {
      if (!(item instanceof BigDecimal number)) {
        throw wrong(field, "a list of whole numbers");
      }
      try {
        numbers.add(number.intValueExact());
      } catch (ArithmeticException e) {
        throw wrong(field, "a list of whole numbers");
      }
    }
    return numbers;
  }

  private List<?> list(String field) {
    Field found = fields.get(field);
    if (found == null) {
      return List.of();
    }
    if (found.value() instanceof List<?> list) {
      return list;
    }
    throw wrong(field, "a list");
  }

  /** An object inside this one, or null where the field is absent. */
  @Nullable ConfigFields object(String field) {
    Field found = fields.get(field);
    if (found == null) {
      return null;
    }
    if (found.value() instanceof ConfigFields object) {
      return object;
    }
    throw wrong(field, "an object");
  }

  /** The objects inside this one. */
  List<ConfigFields> objects() {
    return fields.values().stream()
        .map(Field::value)
        .filter(ConfigFields.class::isInstance)
        .map(ConfigFields.class::cast)
        .toList();
  }

  ModelConfigException missing(String field, String expected) {
    return new ModelConfigException(
        file + ": " + prefix + field + ": missing, expected " + expected);
  }

  ModelConfigException wrong(String field, String expected) {
    Field found = fields.get(field);
    if (found == null) {
      return missing(field, expected);
    }
    return new ModelConfigException(
        String.format(
            Locale.ROOT,
            "%s:%d: %s%s: found %s, expected %s",
            file,
            found.line(),
            prefix,
            field,
            shown(found.value()),
            expected));
  }

  private static String shown(Object value) {
    String text =
        value instanceof ConfigFields
            ? "an object"
            : value instanceof String string ? "'" + string + "'" : String.valueOf(value);
    return text.length() > 80 ? text.substring(0, 77) + "..." : text;
  }
}
