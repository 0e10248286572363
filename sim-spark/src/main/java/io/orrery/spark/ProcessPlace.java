package io.orrery.spark;

import io.orrery.reports.work.WorkPlace;
import io.orrery.scenarios.experiment.TraceOpener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the tasks of one process, and the driver if it is that, have in common. */
final class ProcessPlace implements WorkPlace {
  private static final int KEPT = 4;
  private static final ProcessPlace HERE = new ProcessPlace();

  private final HadoopTraces traces = new HadoopTraces();
  private final Map<Object, Once> shared = new LinkedHashMap<>(16, 0.75f, true);

  private ProcessPlace() {}

  static ProcessPlace here() {
    return HERE;
  }

  @Override
  public TraceOpener traces() {
    return traces;
  }

  @Override
  public <V> V shared(Object key, Class<V> type, Supplier<V> make) {
    Once once;
    synchronized (shared) {
      once = shared.computeIfAbsent(key, absent -> new Once());
      while (shared.size() > KEPT) {
        shared.remove(shared.keySet().iterator().next());
      }
    }
    return type.cast(once.get(make));
  }

  /** Made by the first who comes; who comes meanwhile waits. If that fails, the next one tries. */
  private static final class Once {
    private @Nullable Object made;

    synchronized Object get(Supplier<?> make) {
      Object value = made;
      if (value == null) {
        value = make.get();
        made = value;
      }
      return value;
    }
  }
}
