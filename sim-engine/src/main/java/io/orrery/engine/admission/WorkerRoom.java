package io.orrery.engine.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Room on workers in tokens, most first. A worker with no more than {@code least} tokens left is
 * out.
 */
final class WorkerRoom {
  /** Which of two workers with equal room comes first. */
  enum Ties {
    /** The one that came first before. */
    KEEP_ORDER,
    /** The one that nothing was taken from last. */
    TAKEN_LAST,
    /** The one with the lower id. */
    LOWER_ID
  }

  private record Room(int worker, long tokens) {}

  private static final Comparator<Room> MOST_FIRST =
      Comparator.comparingLong(Room::tokens).reversed();

  private final long least;
  private final Ties ties;
  private final List<Room> rooms = new ArrayList<>();

  /**
   * @param least a worker must have more room than this
   */
  WorkerRoom(long least, Ties ties) {
    this.least = least;
    this.ties = ties;
  }

  void add(int worker, long tokens) {
    put(rooms.size(), worker, tokens);
  }

  long total() {
    return rooms.stream().mapToLong(Room::tokens).sum();
  }

  /**
   * Takes {@code tokens} from the worker with the most room.
   *
   * @return the worker, or -1 if none has so much
   */
  int take(long tokens) {
    if (rooms.isEmpty() || rooms.get(0).tokens() < tokens) {
      return Program.NO_WORKER;
    }
    Room room = rooms.remove(0);
    put(ties == Ties.TAKEN_LAST ? rooms.size() : 0, room.worker(), room.tokens() - tokens);
    return room.worker();
  }

  private void put(int place, int worker, long tokens) {
    if (tokens > least) {
      rooms.add(place, new Room(worker, tokens));
      rooms.sort(ties == Ties.LOWER_ID ? MOST_FIRST.thenComparingInt(Room::worker) : MOST_FIRST);
    }
  }
}
