package io.orrery.cli;

import io.orrery.traces.PrintableText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** Writes {@link PrintableText}; lines, and columns of tabs, stay. */
final class PrintableWriter extends FilterWriter {
  PrintableWriter(Writer out) {
    super(out);
  }

  @Override
  public void write(int c) throws IOException {
    write(new char[] {(char) c}, 0, 1);
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    write(text.substring(offset, offset + length).toCharArray(), 0, length);
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    int end = offset + length;
    int written = offset;
    for (int i = offset; i < end; i++) {
      boolean endsLine = text[i] == '\r' && i + 1 < end && text[i + 1] == '\n';
      boolean stays = endsLine || text[i] == '\n' || text[i] == '\t';
      if (!stays && PrintableText.isControl(text[i])) {
        out.write(text, written, i - written);
        out.write(PrintableText.escaped(text[i]));
        written = i + 1;
      }
    }
    out.write(text, written, end - written);
  }
}
