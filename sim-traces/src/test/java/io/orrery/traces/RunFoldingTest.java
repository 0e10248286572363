package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunFoldingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1,2,3,4,9]|[[1,4],[9,1]]",
        "[98,99,100,101,7,8,9,10,11]|[[98,4],[7,5]]",
        "{\"a\":[0,1,2],\"b\":3}|{\"a\":[[0,3]],\"b\":3}",
        "[ 1 ,\t2,3 ]|[[1,3]]",
        "[999999997,999999998,999999999]|[[999999997,3]]",
        "[99999999,100000000,100000001]|[[99999999,3]]",
        "[[1,2,3],[4,5,6]]|[[[1,3]],[[4,3]]]",
        // not shorter
        "[1]|[1]",
        "[1,3,5]|[1,3,5]",
        "[5,4,3]|[5,4,3]",
        // but two numbers never stay as they are
        "[1,3]|[[1,1],[3,1]]",
        // no plain numbers, or no JSON
        "[]|[]",
        "[1,2,3,-4]|[1,2,3,-4]",
        "[1,2,3.0]|[1,2,3.0]",
        "[1,2,3e1]|[1,2,3e1]",
        "[1,2,3,null]|[1,2,3,null]",
        "[1,2,3,\"4\"]|[1,2,3,\"4\"]",
        "[1,2,[3,4,5]]|[1,2,[[3,3]]]",
        "[01,02,03]|[01,02,03]",
        "[00,1,2]|[00,1,2]",
        "[1,2,3,]|[1,2,3,]",
        "[1,,2]|[1,,2]",
        "[1 2 3]|[1 2 3]",
        "[1,2,3|[1,2,3",
        "[1,2,3}|[1,2,3}",
        "[1000000000,1000000001,1000000002]|[1000000000,1000000001,1000000002]",
        // strings are strings
        "\"[1,2,3,4]\"|\"[1,2,3,4]\"",
        "\"a\\\"[1,2,3,4]\"|\"a\\\"[1,2,3,4]\"",
        "\"a\\\\\",[1,2,3,4]|\"a\\\\\",[[1,4]]"
      })
  void foldsWhatGetsShorter(String text, String folded) throws IOException {
    assertThat(folded(text, 1_000)).isEqualTo(folded);
    assertThat(folded(text, 1)).isEqualTo(folded);
  }

  @Test
  void lineBreaksStay() throws IOException {
    assertThat(folded("[\n1,\r\n2,\n3\n]\n{", 5)).isEqualTo("[\n\n\n\n[1,3]]\n{");
  }

  /** Folded and read back, an array is what it was; with any buffering, and at any length. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void readsBackAsItWas(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 40; i++) {
      int[] values = values(random, i < 36 ? 1 + random.nextInt(300) : 120_000);
      StringBuilder text = new StringBuilder("{\"s\": \"[1,2,3\\\"\", \"ids\": [");
      for (int v = 0; v < values.length; v++) {
        text.append(v == 0 ? "" : random.nextInt(50) == 0 ? ", " : ",").append(values[v]);
      }
      text.append("], \"n\": 5}\n{\"ids\": ").append("[7,8,9]").append("}");
      String folded = folded(text.toString(), 1 + random.nextInt(100_000));
      assertThat(folded.length() - text.length()).isLessThanOrEqualTo(values.length == 2 ? 8 : 0);

      JsonRows rows = foldedRows(text.toString());
      rows.nextRow();
      rows.nextField();
      assertThat(rows.textOrNull("s")).isEqualTo("[1,2,3\"");
      rows.nextField();
      RunColumn runs = new RunColumn();
      assertThat(rows.intRuns("ids", runs)).isEqualTo(values.length);
      for (int v = 0, run = 0, offset = 0; v < values.length; v++) {
        assertThat(runs.first(run) + offset++).isEqualTo(values[v]);
        if (offset == runs.length(run)) {
          run++;
          offset = 0;
        }
      }
      rows.nextField();
      assertThat(rows.whole("n", 0, 9)).isEqualTo(5);
      assertThat(rows.nextField()).isNull();
      rows.nextRow();
      rows.nextField();
      RunColumn second = new RunColumn();
      assertThat(rows.intRuns("ids", second)).isEqualTo(3);
      assertThat(second.firsts().toArray()).containsExactly(7);
    }
  }

  /** Whatever arrays a file nests, none is taken for a run. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[1,3]]",
        "[5,[1,3]]",
        "[[1]]",
        "[[1,2,3]]",
        "[[1,2,3,4,5,6,7]]",
        "[[[1,3]]]",
        "[[]]",
        "[[1,-3]]",
        "[[-1,3]]",
        "[[1,3.0]]",
        "[[3000000000,3]]",
        "[[3,3000000000]]",
        "[[1,3],[4,1]]",
        "[[1,0]]",
        "[{\"a\":1}]"
      })
  void nestedArraysOfTheFileAreErrors(String array) {
    JsonRows rows = foldedRows("{\"ids\": " + array + "}");
    rows.nextRow();
    rows.nextField();
    assertThatThrownBy(() -> rows.intRuns("ids", new RunColumn()))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("f:1: ids: found ");
  }

  private static int[] values(SplittableRandom random, int length) {
    int[] values = new int[length];
    int next = random.nextInt(100);
    for (int i = 0; i < length; i++) {
      if (random.nextInt(12) == 0) {
        next = random.nextInt(1, 1 << random.nextInt(1, 31));
      }
      values[i] = next;
      next = next == Integer.MAX_VALUE ? 0 : next + 1;
    }
    return values;
  }

  private static String folded(String text, int chunk) throws IOException {
    InputStream slow =
        new InputStream() {
          private final InputStream all = new ByteArrayInputStream(text.getBytes(UTF_8));

          @Override
          public int read() throws IOException {
            return all.read();
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return all.read(target, offset, Math.min(chunk, length));
          }
        };
    try (InputStream folding = new RunFolding(slow)) {
      return new String(folding.readAllBytes(), UTF_8);
    }
  }

  /** Rows that are read as if nothing had been folded. */
  private static JsonRows foldedRows(String text) {
    return JsonRows.of(
        "f",
        new TextForm(false, true, false, false),
        new ByteArrayInputStream(text.getBytes(UTF_8)));
  }
}
