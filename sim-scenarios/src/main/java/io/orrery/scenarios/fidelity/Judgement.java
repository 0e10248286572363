package io.orrery.scenarios.fidelity;

/** Ways of telling what serving takes; each is judged beside the measurement. */
public enum Judgement {
  /** The closed form over sums of operators, shipped host constants: no queue. */
  CLOSED_FORM("closed_form", "closed form"),
  /** The engine with the shipped host constants. */
  SHIPPED("shipped", "as shipped"),
  /** The engine, constants fitted to all other models. */
  LEAVE_MODEL_OUT("leave_model_out", "model left out"),
  /** The engine, constants fitted to all other GPUs. */
  LEAVE_GPU_OUT("leave_gpu_out", "GPU left out"),
  /** The engine, constants fitted to the first half of the run's requests. */
  FIRST_HALF("first_half", "first half fitted");

  private final String key;
  private final String title;

  Judgement(String key, String title) {
    this.key = key;
    this.title = title;
  }

  /** Its name in JSON. */
  public String key() {
    return key;
  }

  /** Its name in tables. */
  public String title() {
    return title;
  }
}
