package io.orrery.cli;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user should know beside the result, a line each on the error stream. */
final class Notes {
  private static final int SHOWN = 8;

  private final @Nullable PrintWriter err;

  /**
   * @param err null to keep quiet
   */
  Notes(@Nullable PrintWriter err) {
    this.err = err;
  }

  /** Prints all. */
  void print(List<String> notes) {
    if (err != null) {
      notes.forEach(err::println);
    }
  }

  /** Prints the first few, and how many there are besides, in which place of the document. */
  void printSome(List<String> notes, String place) {
    print(notes.subList(0, Math.min(SHOWN, notes.size())));
    if (notes.size() > SHOWN) {
      print(List.of((notes.size() - SHOWN) + " more in \"" + place + "\" of --json and -o."));
    }
  }
}
