package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "größer – 東京 😀", "a\\nb", "\u00a0\u00ad"})
  void textStaysAsItIs(String text) {
    assertThat(PrintableText.of(text)).isSameAs(text);
  }

  @Test
  void controlsAreEscaped() {
    assertThat(PrintableText.of("a\nb\r\tc")).isEqualTo("a\\nb\\r\\tc");
    assertThat(PrintableText.of("\u001b[2J\0\u007f")).isEqualTo("\\u001b[2J\\u0000\\u007f");
    assertThat(PrintableText.of("\u009b31m")).isEqualTo("\\u009b31m");
    assertThat(PrintableText.of("\u202egpj.exe\u2066")).isEqualTo("\\u202egpj.exe\\u2066");
  }

  @Test
  void noControlIsLeft() {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      all.append((char) c).append(' ');
    }

    String printed = PrintableText.of(all.toString());

    assertThat(printed.chars())
        .noneMatch(Character::isISOControl)
        .noneMatch(c -> (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
        .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  @Test
  void halvesOfPairsAreEscapedAndPairsAreNot() {
    assertThat(PrintableText.of("\ud83d😀\ude00")).isEqualTo("\\ud83d😀\\ude00");
  }

  @Test
  void exceptionsArePrintableWhateverIsInThem() {
    TraceException e = new TraceException("f\u001b", 3, "k\n", "v\u0007", "w\u009b");

    assertThat(e).hasMessage("f\\u001b:3: k\\n: found v\\u0007, expected w\\u009b");
    assertThat(e.value()).isEqualTo("v\\u0007");
    assertThat(e.file()).isEqualTo("f\u001b");
  }

  @Test
  void aLongValueIsNotCutWithinAPair() {
    String value = "a".repeat(78) + "😀😀😀";

    assertThat(new TraceException(null, 0, null, value, "less").value())
        .isEqualTo("a".repeat(78) + "…");
  }
}
