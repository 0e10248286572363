package io.orrery.spark;

import org.apache.spark.sql.SparkSession;

/**
 * The one Spark of all tests: two threads, each task tried up to four times, nothing on a network.
 */
final class Sparks {
  static final String MASTER = "local[2,4]";

  private static final SparkSession SESSION =
      SparkSession.builder()
          .master(MASTER)
          .appName("tests")
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.serializer.extraDebugInfo", "false")
          .config("spark.sql.shuffle.partitions", "3")
          .config("spark.default.parallelism", "3")
          .config("spark.hadoop.fs.elsewhere.impl", Elsewhere.class.getName())
          .config("spark.hadoop.fs.elsewhere.impl.disable.cache", "true")
          .getOrCreate();

  private Sparks() {}

  static SparkSession session() {
    return SESSION;
  }
}
