package io.orrery.cli;

import io.orrery.traces.PrintableText;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes. Whatever could take over a terminal is escaped on the way, in a document
 * as its format has it, too.
 */
final class Console {
  private final PrintWriter out;
  private final PrintWriter err;
  private final PrintWriter styledOut;
  private final PrintWriter styledErr;
  private final Terminal terminal;

  /**
   * @param out for results
   * @param err for everything else
   * @param terminal who is looking
   */
  Console(PrintWriter out, PrintWriter err, Terminal terminal) {
    this.out = new PrintWriter(new PrintableWriter(out), true);
    this.err = new Lines(err);
    styledOut = out;
    styledErr = err;
    this.terminal = terminal;
  }

  /** Results. */
  PrintWriter out() {
    return out;
  }

  /** Everything else, of which a text that is printed as a line is one. */
  PrintWriter err() {
    return err;
  }

  /** Results with colours; the writer has escaped what is not its own. */
  PrintWriter styledOut() {
    return styledOut;
  }

  /** What is drawn over; the writer has escaped what is not its own. */
  PrintWriter styledErr() {
    return styledErr;
  }

  /** Who is looking. */
  Terminal terminal() {
    return terminal;
  }

  /** Line ends within a line are escaped, too: a file's name may have some. */
  private static final class Lines extends PrintWriter {
    Lines(PrintWriter out) {
      super(new PrintableWriter(out), true);
    }

    @Override
    public void println(@Nullable String line) {
      super.println(PrintableText.of(String.valueOf(line)));
    }
  }
}
