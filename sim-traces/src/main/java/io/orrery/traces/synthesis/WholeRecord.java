package io.orrery.traces.synthesis;

import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a record which was read has all its parts: whatever may not be missing is there. */
final class WholeRecord {
  private WholeRecord() {}

  /**
   * Looks at all records in a record.
   *
   * @throws IllegalArgumentException with the path of what is missing, or is no number
   */
  static void require(Record whole) {
    parts(whole, "");
  }

  private static void parts(Record whole, String path) {
    for (RecordComponent component : whole.getClass().getRecordComponents()) {
      String name = path + component.getName();
      Object part = part(whole, component);
      boolean optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (part == null && !optional) {
        throw new IllegalArgumentException(name + ": found nothing, expected a value");
      }
      part(part, name);
    }
  }

  private static void part(@Nullable Object part, String name) {
    if (part instanceof Record inner) {
      parts(inner, name + ".");
    } else if (part instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        part(list.get(i), name + "[" + i + "]");
      }
    } else if (part instanceof Double number && !Double.isFinite(number)) {
      throw new IllegalArgumentException(name + ": found " + number + ", expected a number");
    }
  }

  private static @Nullable Object part(Record whole, RecordComponent component) {
    try {
      return component.getAccessor().invoke(whole);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
