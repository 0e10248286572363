package io.orrery.models.kernels;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Fitted laws and knots of one engine's kernels on one GPU, as a text file: a line per law, error
 * or curve, words separated by spaces, {@code #} for remarks.
 *
 * <pre>
 * law gemm bfloat16 2.4943 0.74515 …            coefficients, in the law's order
 * error gemm bfloat16 law 0.0700 0.2063 21640   held-out median, p90, points
 * knots gemm/bfloat16/1024/2048 1:3.21 8:3.30 …  m:us
 * </pre>
 *
 * Keys are {@code gemm/TYPE/N/K}, {@code prefill|decode/HEADS/KV-HEADS/WIDTH/WINDOW/KV/BATCH},
 * {@code experts/HIDDEN/WIDTH/PER-TOKEN/EXPERTS/TP/EP/TYPE/LOAD}, {@code
 * latent-prefill|latent-decode/HEADS/TYPE/KV/BATCH}, {@code state/KERNEL/SEQUENCES}, {@code
 * allreduce|allgather|reducescatter/GPUS}.
 */
final class KernelFile {
  private static final int DIGITS = 4;
  private static final String KNOTS = "knots ";
  private static final int MOST_EXACT_DIGITS = 15;
  private static final double[] POWERS_OF_TEN = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  /** Coefficients by kernel. */
  final Map<String, double[]> laws = new LinkedHashMap<>();

  /** Held-out median, p90 and number of points by kernel and what was tested. */
  final Map<String, double[]> errors = new LinkedHashMap<>();

  /** Points {@code {x, microseconds}} by key. */
  final Map<String, List<double[]>> knots = new LinkedHashMap<>();

  /** Reads a file. */
  static KernelFile read(String name, InputStream in) {
    return read(name, new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** Reads a text. */
  static KernelFile read(String name, Reader in) {
    KernelFile file = new KernelFile();
    try (BufferedReader reader = new BufferedReader(in)) {
      int number = 0;
      String line = reader.readLine();
      while (line != null) {
        number++;
        if (!line.isEmpty() && line.charAt(0) != '#') {
          file.parse(name, number, line);
        }
        line = reader.readLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private void parse(String name, int number, String line) {
    try {
      if (line.startsWith(KNOTS)) {
        int end = line.indexOf(' ', KNOTS.length());
        knots.put(line.substring(KNOTS.length(), end), points(line, end + 1));
        return;
      }
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "law" -> laws.put(words[1] + " " + words[2], numbers(words, 3));
        case "error" -> errors.put(words[1] + " " + words[2] + " " + words[3], numbers(words, 4));
        default -> throw new IllegalArgumentException("expected law, error or knots");
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(name + ":" + number + ": " + e.getMessage(), e);
    }
  }

  private static double[] numbers(String[] words, int from) {
    return Arrays.stream(words, from, words.length).mapToDouble(Double::parseDouble).toArray();
  }

  private static List<double[]> points(String line, int from) {
    List<double[]> points = new ArrayList<>();
    int at = from;
    while (at < line.length()) {
      int colon = line.indexOf(':', at);
      int blank = line.indexOf(' ', at);
      int end = blank < 0 ? line.length() : blank;
      points.add(new double[] {number(line, at, colon), number(line, colon + 1, end)});
      at = end + 1;
    }
    return points;
  }

  /**
   * The number in {@code [from, to)}. A start of the program reads thousands of them: digits with
   * at most one point are read here, exactly, anything else by the library.
   */
  static double number(String text, int from, int to) {
    long digits = 0;
    int point = -1;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '.' && point < 0) {
        point = i;
      } else if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
      } else {
        return Double.parseDouble(text.substring(from, to));
      }
    }
    int behind = point < 0 ? 0 : to - point - 1;
    if (to - from > MOST_EXACT_DIGITS || to - from <= (point < 0 ? 0 : 1)) {
      return Double.parseDouble(text.substring(from, to));
    }
    // Both are exact, so that the quotient is rounded once, as the library rounds.
    return digits / POWERS_OF_TEN[behind];
  }

  /** The file's text below its header. */
  String text() {
    StringBuilder text = new StringBuilder();
    laws.forEach((key, values) -> append(text, "law " + key, values));
    errors.forEach((key, values) -> append(text, "error " + key, values));
    knots.forEach(
        (key, points) -> {
          text.append("knots ").append(key);
          for (double[] point : points) {
            text.append(' ').append((long) point[0]).append(':').append(rounded(point[1]));
          }
          text.append('\n');
        });
    return text.toString();
  }

  private static void append(StringBuilder text, String key, double[] values) {
    text.append(key);
    for (double value : values) {
      text.append(' ').append(rounded(value));
    }
    text.append('\n');
  }

  /** Few digits: times are not known better. */
  static String rounded(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return Long.toString((long) value);
    }
    int magnitude = (int) Math.floor(StrictMath.log10(Math.abs(value)));
    String digits =
        String.format(Locale.ROOT, "%." + Math.max(0, DIGITS - 1 - magnitude) + "f", value);
    return digits.indexOf('.') < 0 ? digits : digits.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  static String key(String kind, AttentionSite site) {
    return String.join(
        "/",
        kind,
        Integer.toString(site.heads()),
        Integer.toString(site.kvHeads()),
        Integer.toString(site.headDim()),
        Integer.toString(site.window()),
        site.kv().label());
  }

  static String key(String kind, LatentSite site) {
    return String.join(
        "/", kind, Integer.toString(site.heads()), site.dense().label(), site.kv().label());
  }

  static String key(ExpertSite site) {
    return String.join(
        "/",
        "experts",
        Integer.toString(site.hidden()),
        Integer.toString(site.width()),
        Integer.toString(site.perToken()),
        Integer.toString(site.experts()),
        Integer.toString(site.tensorParallel()),
        Integer.toString(site.expertParallel()),
        site.type().label(),
        load(site.skewed()));
  }

  static String load(boolean skewed) {
    return skewed ? "skewed" : "even";
  }

  /** Head width, window and KV format. */
  static String kind(AttentionSite site) {
    return site.headDim() + "/" + site.window() + "/" + site.kv().label();
  }

  static String kind(KernelType type, boolean skewed) {
    return type.label() + "/" + load(skewed);
  }
}
