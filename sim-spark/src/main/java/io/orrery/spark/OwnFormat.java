package io.orrery.spark;

import io.orrery.scenarios.spec.TraceSource;
import io.orrery.spark.stats.TraceSummaryJob;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceHeader;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceProvenance;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.spark.sql.SparkSession;

/** Tells files of Orrery's own format, which Spark can read in pieces. */
final class OwnFormat {
  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};
  private static final int BUFFER = 1 << 20;

  private OwnFormat() {}

  /** The job for such a file; none if the files are something else, or several. */
  static Optional<TraceSummaryJob> of(
      List<String> places, TraceOptions options, SparkSession session) {
    boolean another = options.format() != null && options.format() != TraceFormat.ORRERY;
    if (places.size() != 1 || another) {
      return Optional.empty();
    }
    String place = places.get(0);
    Path path =
        TraceSource.isRemote(place)
            ? new Path(place)
            : new Path(java.nio.file.Path.of(place).toAbsolutePath().toUri());
    Configuration configuration = HadoopTraces.configuration();
    try {
      FileSystem system = path.getFileSystem(configuration);
      if (!system.exists(path)
          || !system.getFileStatus(path).isFile()
          || !isParquet(system, path)) {
        return Optional.empty();
      }
      Map<String, String> metadata = metadata(configuration, path);
      if (!TraceHeader.isThere(metadata)) {
        return Optional.empty();
      }
      TraceHeader header = TraceHeader.of(place, metadata, stored(system, path));
      return Optional.of(new TraceSummaryJob(session, path.toString(), place, header));
    } catch (IOException e) {
      throw new UncheckedIOException(place + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static boolean isParquet(FileSystem system, Path path) throws IOException {
    try (InputStream in = system.open(path)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  /** Of the two ways to read a footer, the one whose types are all Hadoop's or Parquet-Hadoop's. */
  @SuppressWarnings("deprecation")
  private static Map<String, String> metadata(Configuration configuration, Path path)
      throws IOException {
    return ParquetFileReader.readFooter(configuration, path)
        .getFileMetaData()
        .getKeyValueMetaData();
  }

  private static TraceProvenance.SourceFile stored(FileSystem system, Path path)
      throws IOException {
    try (InputStream in = system.open(path)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER];
      long bytes = 0;
      for (int count; (count = in.read(buffer)) > 0; bytes += count) {
        digest.update(buffer, 0, count);
      }
      return new TraceProvenance.SourceFile(
          path.getName(), bytes, HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
