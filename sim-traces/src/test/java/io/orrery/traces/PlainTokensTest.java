package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for plain has the tokens, and the lines, that a parser finds in it. */
class PlainTokensTest {
  private static final int ROUNDS = 3_000;

  static Stream<TraceFormat> formatsOfObjects() {
    return RecordsAsideTest.formatsOfObjects();
  }

  @ParameterizedTest
  @MethodSource("formatsOfObjects")
  void tracesArePlain(TraceFormat format) throws IOException {
    for (boolean keysOnce : new boolean[] {false, true}) {
      assertThat(isPlain(FormatSamples.of(format).text(), keysOnce)).isTrue();
    }
    String rows = FormatRows.of(format, 60, 64);
    assertThat(isPlain(rows.replaceAll("[^\\x00-\\x7f]", "u"), true)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("formatsOfObjects")
  void damagedTracesAreReadAlikeOrAreNotPlain(TraceFormat format) throws IOException {
    SplittableRandom random = new SplittableRandom(11L * format.ordinal());
    byte[] sample = FormatSamples.of(format).text().getBytes(UTF_8);
    int plain = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = sample;
      for (int edits = random.nextInt(2); edits >= 0; edits--) {
        bytes = Mutations.mutated(bytes, random);
      }
      plain += isPlain(bytes, random.nextBoolean()) ? 1 : 0;
    }
    assertThat(plain).isGreaterThan(ROUNDS / 50);
  }

  /** Numbers of any size, one more than the one before or not, with and without spaces. */
  @Test
  void listsOfNumbersAreReadAlike() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    String[] gaps = {",", ", ", ",  ", " ,", ",\n", ", \r\n"};
    for (int round = 0; round < ROUNDS; round++) {
      long number = random.nextLong(1L << random.nextInt(1, 40));
      String usual = gaps[random.nextInt(3)];
      StringBuilder text = new StringBuilder("{\"a\": [").append(number);
      for (int i = random.nextInt(60); i > 0; i--) {
        boolean jump = random.nextInt(12) == 0;
        number = jump ? random.nextLong(1L << random.nextInt(1, 40)) : number + 1;
        text.append(random.nextInt(20) == 0 ? gaps[random.nextInt(gaps.length)] : usual);
        text.append(number);
      }
      text.append(random.nextBoolean() ? "]}" : "], \"b\": \"" + "x".repeat(50) + "\"}\n");
      assertThat(isPlain(text.toString(), true)).as(text.toString()).isTrue();
    }
  }

  /** A run that ends where its numbers become longer, shorter, or other ones. */
  @Test
  void aRunIsOneEntry() {
    String padding = ", \"b\": \"" + "x".repeat(60) + "\"}";
    TokenBatch batch = new TokenBatch(1);
    byte[] text = ("{\"a\": [8, 9, 10, 11, 99998, 99999, 100000, 7]" + padding).getBytes(UTF_8);

    assertThat(new PlainTokens(true).addAll(text, text.length, 1, batch)).isTrue();

    assertThat(
            IntStream.range(0, batch.size())
                .filter(i -> batch.kind(i) == TokenBatch.RUN)
                .mapToObj(i -> batch.whole(i) + "+" + batch.length(i)))
        .containsExactly("8+4", "99998+3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-0",
        "0",
        "-7",
        "999999999999999999",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775807",
        "18446744073709551615",
        "10000000000000000000",
        "0.5",
        "-12.000e-7",
        "1E9",
        "true",
        "[]",
        "{}",
        "[[1, 2], [3], 4.5, null, \"x\"]",
        "\"\"",
        "\"\u007f~\""
      })
  void valuesAreReadAlike(String value) throws IOException {
    assertThat(isPlain("{\"a\":" + value + "}", true)).isTrue();
    assertThat(isPlain("\n {\r\n\"a\"\n:\n" + value + "\t,\"b\" :[" + value + "\n]}{}\n", true))
        .isTrue();
  }

  /** Mistakes, and what is right but rare. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "NaN",
        "18446744073709551616",
        "30000000000000000000",
        "-9223372036854775809",
        "1 2",
        "1,",
        "truee",
        "tru",
        "[1,]",
        "[1 2]",
        "[1}",
        "\"\\n\"",
        "\"\u00e9\"",
        "\"\t\"",
        "\"",
        "1}}",
        "1},",
        "1} x",
        "1,\"a\":2",
        "{\"b\":1,\"c\":{\"b\":2},\"b\":3}",
        "1\r",
        "1\u000c"
      })
  void theRestIsNotPlain(String value) throws IOException {
    assertThat(isPlain("{\"a\":" + value + "}", true)).isFalse();
  }

  @Test
  void neitherIsWhatAParserWouldRefuseForItsSize() throws IOException {
    assertThat(isPlain("{\"a\":" + "[".repeat(120) + "]".repeat(120) + "}", true)).isFalse();
    assertThat(isPlain("{\"" + "n".repeat(60_000) + "\":1}", true)).isFalse();
    assertThat(isPlain("{\"a\":" + "1".repeat(500) + ".5}", true)).isFalse();
    assertThat(isPlain("", true)).isTrue();
    StringBuilder manyNames = new StringBuilder("{\"a\":1");
    for (int i = 0; i < 1_000; i++) {
      manyNames.append(",\"n").append(i).append("\":1");
    }
    assertThat(isPlain(manyNames.append('}').toString(), false)).isFalse();
  }

  private static boolean isPlain(String text, boolean keysOnce) throws IOException {
    return isPlain(text.getBytes(UTF_8), keysOnce);
  }

  /** Whether it is; the tokens are compared then, else nothing must have been left behind. */
  private static boolean isPlain(byte[] text, boolean keysOnce) throws IOException {
    TokenBatch batch = new TokenBatch(4);
    batch.line(1);
    batch.add(TokenBatch.TRUE);
    boolean plain = new PlainTokens(keysOnce).addAll(text, text.length, 1, batch);
    TokenBatch expected = new TokenBatch(4);
    expected.line(1);
    expected.add(TokenBatch.TRUE);
    if (plain) {
      TextForm form = new TextForm(false, false, keysOnce, false);
      try (Tokenizer tokenizer = form.tokenizer(new ByteArrayInputStream(text))) {
        tokenizer.fill(expected, Integer.MAX_VALUE, 0);
      }
      assertThat(batch.endLine()).isEqualTo(expected.endLine());
    }
    assertThat(told(batch)).as(new String(text, UTF_8)).isEqualTo(told(expected));
    return plain;
  }

  private static List<String> told(TokenBatch batch) throws IOException {
    List<String> told = new ArrayList<>();
    try (Tokens tokens = new Tokens(new Single(batch))) {
      while (tokens.next() != null) {
        told.add(tokens.line() + " " + tokens.current() + " " + tokens.text());
      }
    }
    return told;
  }

  private static final class Single implements Tokens.Source {
    private final List<TokenBatch> batches;

    Single(TokenBatch batch) {
      batches = new ArrayList<>(List.of(batch));
    }

    @Override
    public TokenBatch next() {
      return batches.isEmpty() ? null : batches.remove(0);
    }

    @Override
    public long lineOffset() {
      return 0;
    }

    @Override
    public String recordText(int line) {
      return "";
    }

    @Override
    public void close() {
      // there is nothing to close
    }
  }
}
