package io.orrery.engine.cluster;

import io.orrery.engine.cache.PagedBlockMap;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requests that were placed and are not in their worker's scheduler yet, by row. */
final class OnTheirWay {
  private @Nullable ActiveRequest[] requests = new ActiveRequest[16];

  /** By row: the request's place in {@link #requests} and one. */
  private final PagedBlockMap places = new PagedBlockMap();

  private int size;

  void add(ActiveRequest request) {
    if (size == requests.length) {
      requests = Arrays.copyOf(requests, size * 2);
    }
    requests[size++] = request;
    places.put(request.request, size);
  }

  /** Takes out the request of {@code row}, which must be there. */
  ActiveRequest remove(int row) {
    int place = places.put(row, 0) - 1;
    ActiveRequest removed = Objects.requireNonNull(requests[place]);
    ActiveRequest last = Objects.requireNonNull(requests[--size]);
    requests[size] = null;
    if (last != removed) {
      requests[place] = last;
      places.put(last.request, place + 1);
    }
    return removed;
  }

  /** All, by increasing row. */
  List<ActiveRequest> inOrder() {
    ActiveRequest[] all = new ActiveRequest[size];
    for (int i = 0; i < size; i++) {
      all[i] = Objects.requireNonNull(requests[i]);
    }
    Arrays.sort(all, Comparator.comparingInt(request -> request.request));
    return Arrays.asList(all);
  }
}
