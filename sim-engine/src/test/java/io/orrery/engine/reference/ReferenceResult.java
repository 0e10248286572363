package io.orrery.engine.reference;

import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.RouterStats;
import io.orrery.engine.record.RunResult;
import java.util.List;
import java.util.SortedMap;

/**
 * What the stepwise simulation found.
 *
 * @param interTokenNanos gaps between output tokens with how often each occurred
 */
record ReferenceResult(
    List<ReferenceRow> rows,
    SortedMap<Long, Long> interTokenNanos,
    List<ReferenceWorker> workers,
    long endNanos,
    long prefilledOnly,
    List<RunResult.Rejection> rejections,
    RouterStats router,
    AdmissionLog admission,
    List<ReferenceSimulation.LookUp> lookUps) {}
