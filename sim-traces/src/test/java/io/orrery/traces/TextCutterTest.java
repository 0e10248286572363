package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a text is cut, so that its pieces can be parsed by themselves. */
class TextCutterTest {
  @Test
  void jsonIsCutBeforeTheLastBraceThatBeginsALine() {
    assertThat(json("{1}\n{22}\n{3}\n", 8, 20)).containsExactly("{1}\n", "{22}\n", "{3}\n");
    assertThat(json("{1}\n{2}\n{3}\n", 12, 20)).containsExactly("{1}\n{2}\n", "{3}\n");
    assertThat(json("{1}\n {2}\n{3}", 12, 20)).containsExactly("{1}\n {2}\n", "{3}");
  }

  /** What the parser takes for the beginning of UTF-16 is no beginning of a piece. */
  @Test
  void aBraceBeforeAZeroIsNone() {
    assertThat(json("{1}\n{\0\n{3}\n", 10, 20)).containsExactly("{1}\n{\0\n", "{3}\n");
  }

  @Test
  void aLongLineMakesALongPiece() {
    assertThat(json("{1}\n{2222222222222222}\n{3}\n", 6, 40))
        .containsExactly("{1}\n", "{2222222222222222}\n{3}\n");
  }

  /** It is not whole then, so that nobody tries to parse it by itself. */
  @Test
  void aLongerOneIsCutAnywhere() {
    String text = "{1}\n{2222222222222222}\n{3}\n";
    TextCutter cutter = cutter(text, false, 6, 8);
    List<Boolean> whole = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    for (TextPiece piece; (piece = cutter.next()) != null; ) {
      whole.add(piece.whole());
      all.append(new String(piece.bytes(), 0, piece.length(), UTF_8));
    }

    assertThat(whole).startsWith(true, false).endsWith(true);
    assertThat(all).hasToString(text);
  }

  /** Those behind the first get the header, so that each is a table. */
  @Test
  void aTableIsCutBehindAnyLine() throws IOException {
    TextCutter cutter = cutter("\n \na,b\r\n1,2\r\n3,4\r\n5,6", true, 12, 40);
    List<String> pieces = new ArrayList<>();
    for (TextPiece piece; (piece = cutter.next()) != null; ) {
      pieces.add(new String(piece.open().readAllBytes(), UTF_8));
    }

    assertThat(pieces).containsExactly("\n \na,b\r\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r\n5,6");
  }

  /** Nor does a piece end before the header has been seen. */
  @Test
  void blankLinesAreNoHeader() throws IOException {
    TextCutter cutter = cutter("\n \t\r\n\na,b\n1,2\n3,4\n", true, 6, 40);

    assertThat(new String(cutter.next().open().readAllBytes(), UTF_8))
        .isEqualTo("\n \t\r\n\na,b\n");
    assertThat(new String(cutter.next().open().readAllBytes(), UTF_8)).isEqualTo("a,b\n1,2\n");
  }

  /** Where a header ends then depends on who reads it. */
  @Test
  void aHeaderThatEndsAsOldMacsHadItForbidsPieces() {
    assertThat(cutter("a,b\r1,2\n3,4\n", true, 9, 40).next().whole()).isFalse();
    assertThat(cutter("\r\r\na,b\n1,2\n", true, 9, 40).next().whole()).isFalse();
    assertThat(cutter("a,b\r\n1,2\n3,4\n", true, 9, 40).next().whole()).isTrue();
  }

  @Test
  void aQuotedNameOverSeveralLinesForbidsPieces() {
    assertThat(cutter("\"a\nb\",c\n1,2\n3,4\n", true, 12, 40).next().whole()).isFalse();
    assertThat(cutter("a\"b,\"c\nd\"\n1,2\n3,4\n", true, 12, 40).next().whole()).isFalse();
    assertThat(cutter("\"a\",\"b\"\"c\"\n1,2\n3,4\n", true, 14, 40).next().whole()).isTrue();
  }

  /** Bytes that came before it count. */
  @Test
  void aFailureComesBehindWhatWasRead() throws IOException {
    InputStream failing =
        new InputStream() {
          private final InputStream text = new ByteArrayInputStream("{1}\n{2".getBytes(UTF_8));

          @Override
          public int read() throws IOException {
            int c = text.read();
            if (c < 0) {
              throw new IOException("cut");
            }
            return c;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            target[offset] = (byte) read();
            return 1;
          }
        };
    TextCutter cutter = new TextCutter(failing, false, 10, 20);

    TextPiece piece = cutter.next();

    assertThat(new String(piece.bytes(), 0, piece.length(), UTF_8)).isEqualTo("{1}\n{2");
    assertThat(piece.last()).isTrue();
    InputStream in = piece.open();
    assertThat(in.readNBytes(6)).hasSize(6);
    assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("cut");
    assertThat(cutter.next()).isNull();
  }

  private static TextCutter cutter(String text, boolean table, int usual, int most) {
    return new TextCutter(new ByteArrayInputStream(text.getBytes(UTF_8)), table, usual, most);
  }

  private static List<String> json(String text, int usual, int most) {
    TextCutter cutter = cutter(text, false, usual, most);
    List<String> pieces = new ArrayList<>();
    for (TextPiece piece; (piece = cutter.next()) != null; ) {
      assertThat(piece.whole()).isTrue();
      pieces.add(new String(piece.bytes(), 0, piece.length(), UTF_8));
    }
    return pieces;
  }
}
