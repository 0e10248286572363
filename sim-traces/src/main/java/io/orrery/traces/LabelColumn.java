package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import org.jspecify.annotations.Nullable;

/** An optional column of few distinct texts, such as models or finish reasons. */
final class LabelColumn {
  private final TextIndex texts = new TextIndex();
  private final SparseColumn numbers = new SparseColumn(-1);

  /** The text set last: often the next one, too. */
  private @Nullable String last;

  private int lastNumber;

  /** Null and the empty text say nothing. */
  void set(int row, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      if (!text.equals(last)) {
        last = text;
        lastNumber = texts.add(text);
      }
      numbers.set(row, lastNumber);
    }
  }

  @Nullable String get(int row) {
    int text = (int) numbers.get(row);
    return text < 0 ? null : texts.get(text);
  }

  /** The column's first rows. */
  Labels labels(int rows) {
    return new Labels(numbers.ints(rows), texts.column());
  }

  /** The column in the given order of rows. */
  Labels labels(IntColumn order) {
    return new Labels(numbers.ints(order), texts.column());
  }

  /**
   * A finished column.
   *
   * @param numbers index into the texts, -1 for none; null where no row has one
   * @param texts the distinct texts
   */
  record Labels(@Nullable IntColumn numbers, TextColumn texts) {
    static final Labels NONE = new Labels(null, new TextColumn());

    @Nullable String get(int row) {
      int text = numbers == null ? -1 : numbers.get(row);
      return text < 0 ? null : texts.get(text);
    }
  }
}
