package io.orrery.scenarios.schema;

import io.orrery.scenarios.schema.SchemaNode.Key;
import io.orrery.scenarios.schema.SchemaNode.Section;

/** The keys of {@code stepTime}: which model says how long a step lasts, and what it rests on. */
final class StepTimeKeys {
  static final Section STEP_TIME =
      Section.of(
          "stepTime",
          "How long a step lasts.",
          Key.of(
              "model",
              ValueType.choice("law", "table", "roofline", "polynomial"),
              "law",
              "Step-time model: laws fitted to measured kernels (law), measured tables of one's own (table), what the datasheet"
                  + " allows at best (roofline), or DynoSim's fixed polynomials, for comparison only."),
          Key.of(
              "kernels",
              ValueType.choice("auto", "vllm", "trtllm", "sglang"),
              "auto",
              "Whose kernels law and table stand for, host costs included; auto is the engine preset's (SGLang's are in no table, vLLM's stand in)."),
          Key.of(
              "experts",
              ValueType.choice("skewed", "even"),
              "skewed",
              "How law and table route tokens to experts: some more wanted than others, or all alike."),
          Key.optional(
              "perfData",
              ValueType.path(),
              "Folder of measured kernel tables, relative to the file that names it (table only)."),
          Key.optional(
              "profile",
              ValueType.path(),
              "Profile that orrery calibrate wrote, relative to the file that names it: its host costs, and its kernel laws if it"
                  + " has any, in place of those that ship (law and table)."),
          Key.of(
              "speedup",
              ValueType.positive(ValueType.MANY),
              "1",
              "Every step's time is divided by this (polynomial only)."),
          Key.of(
              "decodeSpeedup",
              ValueType.positive(ValueType.MANY),
              "1",
              "Decode time is divided by this as well (polynomial only)."),
          Key.of(
              "stepOverhead",
              ValueType.duration(true),
              "0 s",
              "Host time of a step (roofline only): hidden behind the GPU's by asynchronous scheduling where it is shorter, else added."));

  private StepTimeKeys() {}
}
