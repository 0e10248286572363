package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Section;

/** The keys of {@code trace}: which requests are replayed, and when they are sent. */
final class TraceKeys {
  private static final Section TIMESTAMPS =
      Section.of(
          "timestamps",
          "Open loop: every request at its recorded time, whatever the cluster does.",
          Key.of(
              "speedup",
              ValueType.positive(ValueType.MANY),
              "1",
              "Recorded times are divided by this."),
          Key.optional(
              "jitter",
              ValueType.duration(true),
              "Each recorded time is moved later by a part of this, drawn evenly from the seed: for traces that stamp"
                  + " requests in ticks, such as Mooncake's of 3 s."));

  private static final Section ARRIVALS =
      Section.withShorthand(
          "arrivals",
          "When root sessions start.",
          "process",
          Key.of(
              "process",
              ValueType.choice("recorded", "poisson", "uniform", "gamma"),
              "recorded",
              "Recorded start times, or a renewal process with the rate below, drawn from the seed."),
          Key.optional(
              "rate",
              ValueType.rate("sessions/s", ValueType.MANY),
              "Root sessions started per second; needed unless process is recorded."),
          Key.optional(
              "jitter",
              ValueType.duration(true),
              "Each recorded start is moved later by a part of this, drawn evenly from the seed: for traces that stamp"
                  + " sessions in ticks, such as Mooncake's of 3 s."),
          Key.optional(
              "cv",
              ValueType.positive(1000),
              "Coefficient of variation of the gaps, for gamma only: above 1 is burstier than poisson."));

  private static final Section CLOSED_LOOP =
      Section.of(
          "closedLoop",
          "A later turn starts when what it waits for has completed, plus the recorded gap.",
          ARRIVALS);

  private static final Section LANES =
      Section.of(
          "lanes",
          "A number of sessions alive at once; a finished session frees its lane for the next.",
          Key.of(
              "count",
              ValueType.wholeOr("auto", 1, 10_000_000),
              "auto",
              "Sessions alive at once; auto is 8 for each worker."),
          Key.of(
              "recycle",
              ValueType.flag(),
              "false",
              "Start again from the first session when the trace runs out, each time with block names of its own; needs"
                  + " limit or limits.simulatedTime."),
          Key.of(
              "randomStart",
              ValueType.flag(),
              "false",
              "Start each session at a random turn between 25 % and 75 % of its turns, drawn from the seed, so that lanes are not in step."),
          Key.of(
              "limit",
              ValueType.wholeOr("all", 1, ValueType.MANY),
              "all",
              "Sessions to start in all; all is every session of the trace once."));

  static final Section TRACE =
      Section.of(
          "trace",
          "The requests to replay, and when they are sent.",
          Key.required(
              "files",
              ValueType.paths(),
              "Trace files or folders, relative to the file that names them."),
          Key.of(
              "format",
              ValueType.name("auto, or the name of a trace format"),
              "auto",
              "Trace format; auto looks at the content."),
          Key.of(
              "blockSize",
              ValueType.wholeOr("auto", 1, 1 << 20),
              "auto",
              "Tokens a block hash of the trace stands for; auto takes the file's or the format's own."),
          Key.optional(
              "map",
              ValueType.text("NAME=COLUMN pairs with commas in between"),
              "What the columns of a table, or the keys of JSON lines, of no known format mean, as in"
                  + " input=prompt_tokens,output=gen,timestamp=ts:s (docs/traces.md)."),
          Key.of(
              "sharedSystemPrefix",
              ValueType.flag(),
              "true",
              "Sessions with equal model, tool and system token counts share those first blocks, where the format keeps block"
                  + " hashes local to a session."),
          Key.of(
              "dispatch",
              ValueType.choice("auto", "lanes", "closed-loop", "timestamps"),
              "auto",
              "When requests are sent; auto is closed-loop where sessions share a clock, and lanes where they do not."),
          TIMESTAMPS,
          CLOSED_LOOP,
          LANES);

  private TraceKeys() {}
}
