package io.orrery.models;

import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one named thing, read field by field. Strict: {@link #finish()} refuses fields
 * that nobody asked for.
 */
final class FactSheet {
  private final String file;
  private final String name;
  private final int line;
  private final Map<String, Fact> facts;
  private final List<String> remarks;
  private final Set<String> asked = new LinkedHashSet<>();

  /**
   * @param file file name for messages
   * @param name the thing's name, such as {@code b200}
   * @param line line where its entry starts
   * @param facts field to fact, in file order
   * @param remarks low-confidence remarks about the whole thing
   */
  FactSheet(String file, String name, int line, Map<String, Fact> facts, List<String> remarks) {
    this.file = file;
    this.name = name;
    this.line = line;
    this.facts = facts;
    this.remarks = remarks;
  }

  String name() {
    return name;
  }

  /** The field names, in file order. */
  Set<String> fields() {
    return facts.keySet();
  }

  String text(String field) {
    return required(field, String.class, "a string");
  }

  boolean flag(String field) {
    return required(field, Boolean.class, "true or false");
  }

  /** A flag, or that value where the field is absent. */
  boolean flagOr(String field, boolean otherwise) {
    asked.add(field);
    return facts.containsKey(field) ? flag(field) : otherwise;
  }

  /** A finite number of at least 0. */
  double number(String field) {
    return nonNegative(field, required(field, BigDecimal.class, "a number")).doubleValue();
  }

  /** A finite number of any sign. */
  double signedNumber(String field) {
    return required(field, BigDecimal.class, "a number").doubleValue();
  }

  /** A number of at least 0, or 0 where the file says null. */
  double numberOrNone(String field) {
    Fact fact = fact(field);
    return fact.value() == null ? 0 : number(field);
  }

  /** A number of at least 0, or empty where the file says null. */
  OptionalDouble numberIfKnown(String field) {
    Fact fact = fact(field);
    return fact.value() == null ? OptionalDouble.empty() : OptionalDouble.of(number(field));
  }

  /** A text, or empty where the field is absent. */
  String textOrNone(String field) {
    asked.add(field);
    return facts.containsKey(field) ? text(field) : "";
  }

  /** A whole number of at least 0. */
  long whole(String field) {
    BigDecimal value = nonNegative(field, required(field, BigDecimal.class, "a whole number"));
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      throw wrong(field, "a whole number", value);
    }
  }

  /** A whole number of at least 0, or 0 where the field is absent. */
  int countOrNone(String field) {
    asked.add(field);
    return facts.containsKey(field) ? count(field) : 0;
  }

  /** A whole number of at least 0 that fits an int. */
  int count(String field) {
    long value = whole(field);
    if (value > Integer.MAX_VALUE) {
      throw wrong(field, "at most " + Integer.MAX_VALUE, value);
    }
    return (int) value;
  }

  /** Where the values come from. */
  Provenance provenance() {
    return new Provenance(name, remarks, facts);
  }

  /** What to tell the user about values that are assumed, in file order. */
  List<String> lowConfidenceNotes() {
    return provenance().lowConfidenceNotes();
  }

  /** Field to source, in file order. */
  Map<String, String> sources() {
    return provenance().sources();
  }

  /** Source of one field. */
  String source(String field) {
    return fact(field).source();
  }

  /** Refuses the first field that was not asked for. */
  void finish() {
    facts.forEach(
        (field, fact) -> {
          if (!asked.contains(field)) {
            throw new CatalogException(
                at(fact.line()) + name + ": " + Names.unknown("field", field, asked));
          }
        });
  }

  private <T> T required(String field, Class<T> type, String expected) {
    Object value = fact(field).value();
    if (!type.isInstance(value)) {
      throw wrong(field, expected, value);
    }
    return type.cast(value);
  }

  private BigDecimal nonNegative(String field, BigDecimal value) {
    if (value.signum() < 0) {
      throw wrong(field, "at least 0", value);
    }
    return value;
  }

  private Fact fact(String field) {
    asked.add(field);
    Fact fact = facts.get(field);
    if (fact == null) {
      throw new CatalogException(at(line) + name + ": missing field " + field);
    }
    return fact;
  }

  private CatalogException wrong(String field, String expected, @Nullable Object found) {
    Fact fact = facts.get(field);
    return new CatalogException(
        at(fact == null ? line : fact.line())
            + name
            + "."
            + field
            + ": found "
            + found
            + ", expected "
            + expected);
  }

  private String at(int where) {
    return file + ":" + where + ": ";
  }
}
