package io.orrery.reports;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.console.HumanUnits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a run refused requests, in few words: prompts too long for the same limit are one reason,
 * other reasons are one if they differ in nothing but numbers.
 */
public final class Rejections {
  private static final Pattern TOO_LONG =
      Pattern.compile(
          "prompt of (\\d{1,18}) tokens, .* takes at most (\\d{1,18}) beside one output token");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /**
   * A reason and how many requests met it.
   *
   * @param reason in words
   * @param count requests
   */
  public record Group(String reason, long count) {
    /** {@code reason: count}. */
    public String text() {
      return reason + ": " + HumanUnits.count(count);
    }
  }

  private static final class Tally {
    private final String first;
    private long count;
    private long longest;

    Tally(String first) {
      this.first = first;
    }
  }

  private Rejections() {}

  /** The groups, in the order of their first request. */
  public static List<Group> of(RunResult result) {
    Map<String, Tally> tallies = new LinkedHashMap<>();
    for (RunResult.Rejection rejection : result.rejections()) {
      String reason = rejection.reason();
      Matcher tooLong = TOO_LONG.matcher(reason);
      boolean byLimit = tooLong.matches();
      String key = byLimit ? limit(tooLong) : NUMBER.matcher(reason).replaceAll("#");
      Tally tally =
          tallies.computeIfAbsent(key, unseen -> new Tally(byLimit ? limit(tooLong) : reason));
      tally.count++;
      if (byLimit) {
        tally.longest = Math.max(tally.longest, Long.parseLong(tooLong.group(1)));
      }
    }
    List<Group> groups = new ArrayList<>();
    for (Tally tally : tallies.values()) {
      String longest = tally.longest > 0 ? ", the longest " + HumanUnits.count(tally.longest) : "";
      groups.add(new Group(tally.first + longest, tally.count));
    }
    return groups;
  }

  private static String limit(Matcher tooLong) {
    return "prompts longer than "
        + HumanUnits.count(Long.parseLong(tooLong.group(2)))
        + " tokens (the most that a worker takes beside one output token)";
  }
}
