package io.orrery.reports.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParagraphTest {
  @Test
  void breaksAtBlanks() {
    assertThat(Paragraph.wrapped("one two three", 7)).isEqualTo("one two\nthree");
    assertThat(Paragraph.wrapped("one two three", 6)).isEqualTo("one\ntwo\nthree");
    assertThat(Paragraph.wrapped("one two three", 13)).isEqualTo("one two three");
    assertThat(Paragraph.wrapped("a-word-that-is-too-long for", 5))
        .isEqualTo("a-word-that-is-too-long\nfor");
    assertThat(Paragraph.wrapped("", 5)).isEmpty();
  }
}
