package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What a trace's end cuts off: the turns of its last sessions that nobody saw, and with them the
 * longest waits. How likely a session goes on after so many turns, and how long it waits then, is
 * estimated together from what was seen and how long nothing was (Turnbull, "The empirical
 * distribution function with arbitrarily grouped, censored and truncated data", Journal of the
 * Royal Statistical Society B 38(3), 1976, with a share that never goes on).
 */
final class CutOff {
  /** Fewer sessions say too little about what is missing. */
  static final int LEAST_SESSIONS = 50;

  private static final int ROUNDS = 100;
  private static final int GROUPS = 6;

  /** Groups that fewer sessions reach are taken together with those before them. */
  private static final int LEAST = 500;

  /** No session is taken to have had more turns than so many times the longest seen. */
  private static final int LONGER = 2;

  private final Trace trace;
  private final boolean stateless;

  /** Waits from start to start, rising, and the probability of each. */
  private final double[] waits;

  private final double[] chance;

  /** The probability of a longer wait than those before each, and than all of them. */
  private final double[] longer;

  /** Probability to go on, by how many turns there were. */
  private final double[] goesOn = new double[GROUPS];

  private final int[] went = new int[GROUPS];
  private final int[] reached = new int[GROUPS];
  private final Ending[] endings;

  /** Turns of each session, those that were cut off included. */
  private final int[] turns;

  /** The last turn that was seen of a session, and how long nothing was seen then. */
  private record Ending(int session, int group, double silence) {}

  /**
   * @param sessions each by its requests
   */
  CutOff(Trace trace, boolean stateless, List<int[]> sessions) {
    this.trace = trace;
    this.stateless = stateless;
    turns = sessions.stream().mapToInt(session -> session.length).toArray();
    long end = 0;
    Samples seen = new Samples();
    for (int[] session : sessions) {
      for (int turn = 0; turn < session.length; turn++) {
        end = Math.max(end, trace.arrivalNanos(session[turn]));
        reached[group(turn + 1)]++;
        if (turn > 0) {
          went[group(turn)]++;
          seen.add(wait(session, turn));
        }
      }
    }
    waits = seen.all();
    Arrays.sort(waits);
    chance = new double[waits.length];
    longer = new double[waits.length + 1];
    boolean known = trace.sharedClock() && waits.length > 0 && turns.length >= LEAST_SESSIONS;
    endings = known ? endings(sessions, end) : new Ending[0];
    Arrays.fill(chance, 1.0 / Math.max(1, waits.length));
    for (int round = 0; round < ROUNDS && endings.length > 0; round++) {
      round();
    }
    extend();
  }

  private static int group(int turns) {
    return Growth.group(turns, GROUPS);
  }

  private double wait(int[] session, int turn) {
    return Math.max(0, trace.arrivalNanos(session[turn]) - trace.arrivalNanos(session[turn - 1]));
  }

  /** By silence, the shortest first. Prompts of less than two blocks are not known again. */
  private Ending[] endings(List<int[]> sessions, long end) {
    Ending[] all = new Ending[sessions.size()];
    int size = 0;
    for (int s = 0; s < all.length; s++) {
      int[] session = sessions.get(s);
      int last = session[session.length - 1];
      if (!stateless || trace.identifiedBlocks(last) >= ContinuedPrompts.LEAST_BLOCKS) {
        all[size++] = new Ending(s, group(session.length), end - trace.arrivalNanos(last));
      } else {
        reached[group(session.length)]--;
      }
    }
    Ending[] endings = Arrays.copyOf(all, size);
    Arrays.sort(
        endings, Comparator.comparingDouble(Ending::silence).thenComparing(Ending::session));
    return endings;
  }

  private void round() {
    for (int i = waits.length - 1; i >= 0; i--) {
      longer[i] = longer[i + 1] + chance[i];
    }
    double[] unseen = new double[GROUPS];
    double perChance = 0;
    double sum = 0;
    int ending = 0;
    for (int i = 0; i <= waits.length; i++) {
      while (ending < endings.length && (i == waits.length || endings[ending].silence < waits[i])) {
        double share = unseen(endings[ending], i);
        unseen[endings[ending].group] += share;
        perChance += longer[i] > 0 ? share / longer[i] : 0;
        ending++;
      }
      if (i < waits.length) {
        chance[i] = 1 + chance[i] * perChance;
        sum += chance[i];
      }
    }
    for (int i = 0; i < waits.length; i++) {
      chance[i] /= sum;
    }
    double of = 0;
    double wentOn = 0;
    for (int g = 0; g < GROUPS; g++) {
      of = reached[g] < LEAST ? of + reached[g] : reached[g];
      wentOn = (reached[g] < LEAST ? wentOn : 0) + went[g] + unseen[g];
      goesOn[g] = of == 0 ? 0 : Math.min(1, wentOn / of);
    }
  }

  /** The probability that a session goes on unseen whose silence is shorter than a wait. */
  private double unseen(Ending ending, int wait) {
    double later = goesOn[ending.group] * longer[wait];
    double never = 1 - goesOn[ending.group];
    return later + never <= 0 ? 0 : later / (later + never);
  }

  /** Draws what was not seen, always the same: it is part of the fit. */
  private void extend() {
    int longest = LONGER * Arrays.stream(turns).max().orElse(1);
    for (Ending ending : endings) {
      int place = Arrays.binarySearch(waits, Math.nextUp(ending.silence));
      RandomStream stream = new RandomStream(0, "cut off", ending.session);
      double chance = unseen(ending, place < 0 ? -place - 1 : place);
      while (stream.chance(chance) && turns[ending.session] < longest) {
        turns[ending.session]++;
        chance = goesOn[group(turns[ending.session])];
      }
    }
  }

  /** Turns of each session, those that were cut off included. */
  int[] turns() {
    return turns;
  }

  /** How many waits one counts for that was seen, with those that were not. */
  double weight(double wait) {
    int place = Arrays.binarySearch(waits, wait);
    return endings.length == 0 || place < 0 ? 1 : chance[place] * waits.length;
  }
}
