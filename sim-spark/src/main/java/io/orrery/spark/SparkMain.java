package io.orrery.spark;

import io.orrery.cli.Main;
import java.util.Arrays;

/** The {@code orrery} command for spark-submit: the same, with {@code --engine spark}. */
public final class SparkMain {
  private static final String ENGINE = "--engine";

  private SparkMain() {}

  /** Runs a command and exits. */
  public static void main(String[] args) {
    Main.main(withEngine(args));
  }

  static String[] withEngine(String[] args) {
    if (Arrays.stream(args).anyMatch(arg -> arg.equals(ENGINE) || arg.startsWith(ENGINE + "="))) {
      return args;
    }
    String[] all = Arrays.copyOf(args, args.length + 2);
    all[args.length] = ENGINE;
    all[args.length + 1] = "spark";
    return all;
  }
}
