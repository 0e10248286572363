package io.orrery.cli;

import java.io.PrintWriter;

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
    this.err = new PrintWriter(new PrintableWriter(err), true);
    styledOut = out;
    styledErr = err;
    this.terminal = terminal;
  }

  /** Results. */
  PrintWriter out() {
    return out;
  }

  /** Everything else. */
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
}
