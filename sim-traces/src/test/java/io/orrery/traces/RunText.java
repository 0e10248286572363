package io.orrery.traces;

/** Runs as text for assertions: {@code [0..3][7]}. */
final class RunText {
  private RunText() {}

  static String prompt(Trace trace, int r) {
    return text(trace, trace.runStart(r), trace.promptRunEnd(r));
  }

  static String completion(Trace trace, int r) {
    return text(trace, trace.promptRunEnd(r), trace.runEnd(r));
  }

  static String prompt(BlockView view, int r) {
    return text(view, view.runStart(r), view.promptRunEnd(r));
  }

  static String completion(BlockView view, int r) {
    return text(view, view.promptRunEnd(r), view.runEnd(r));
  }

  private static String text(Trace trace, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int run = from; run < to; run++) {
      append(text, trace.runFirst(run), trace.runLength(run));
    }
    return text.toString();
  }

  private static String text(BlockView view, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int run = from; run < to; run++) {
      append(text, view.runFirst(run), view.runLength(run));
    }
    return text.toString();
  }

  private static void append(StringBuilder text, long first, int length) {
    text.append('[').append(first);
    if (length > 1) {
      text.append("..").append(first + length - 1);
    }
    text.append(']');
  }
}
