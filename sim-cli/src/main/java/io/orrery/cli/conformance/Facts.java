package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares facts found with facts recorded. */
final class Facts {
  private Facts() {}

  /** The first field, in alphabetical order, that differs, or null; numbers compare by value. */
  static @Nullable String difference(ObjectNode found, ObjectNode expected) {
    TreeSet<String> fields = new TreeSet<>();
    found.fieldNames().forEachRemaining(fields::add);
    expected.fieldNames().forEachRemaining(fields::add);
    for (String field : fields) {
      JsonNode a = found.path(field);
      JsonNode b = expected.path(field);
      if (a instanceof ObjectNode x && b instanceof ObjectNode y) {
        String inner = difference(x, y);
        if (inner != null) {
          return field + "." + inner;
        }
      } else if (!same(a, b)) {
        return field + ": found " + a + ", recorded " + b;
      }
    }
    return null;
  }

  private static boolean same(JsonNode a, JsonNode b) {
    if (a.isIntegralNumber() && b.isIntegralNumber()) {
      return a.longValue() == b.longValue();
    }
    if (a.isArray() && b.isArray()) {
      if (a.size() != b.size()) {
        return false;
      }
      for (int i = 0; i < a.size(); i++) {
        if (!same(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return a.equals(b);
  }
}
