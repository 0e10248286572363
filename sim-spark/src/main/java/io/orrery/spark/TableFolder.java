package io.orrery.spark;

import io.orrery.parquet.Column;
import io.orrery.reports.table.ResultTable;
import io.orrery.reports.table.RowSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table as a Parquet data set with a folder for each variant, by Spark's committer, a few
 * thousand rows at a time. It is made beside its place, and takes that when it is whole.
 */
final class TableFolder {
  private static final int ROWS_AT_ONCE = 2_000;
  private static final String PARTITION = "variant";

  private final SparkSession session;
  private final ResultTable table;
  private final StructType type;

  TableFolder(SparkSession session, ResultTable table) {
    this.session = session;
    this.table = table;
    List<StructField> fields = new ArrayList<>();
    for (ResultTable.Documented column : table.columns()) {
      fields.add(field(column));
    }
    type = DataTypes.createStructType(fields);
  }

  private static StructField field(ResultTable.Documented documented) {
    Column column = documented.column();
    DataType type =
        switch (column.type()) {
          case LONG -> DataTypes.LongType;
          case DOUBLE -> DataTypes.DoubleType;
          case STRING -> DataTypes.StringType;
          default -> throw new IllegalArgumentException("a column of " + column.type());
        };
    Metadata meaning = new MetadataBuilder().putString("comment", documented.meaning()).build();
    return new StructField(column.name(), type, column.nullable(), meaning);
  }

  void write(String place) throws IOException {
    Path target = new Path(place);
    Path work = new Path(place + ".partial");
    FileSystem system = target.getFileSystem(session.sparkContext().hadoopConfiguration());
    system.delete(work, true);
    Rows rows = new Rows(work.toString());
    table.rows().into(rows);
    rows.flush();
    system.delete(target, true);
    if (!system.rename(work, target)) {
      throw new IOException(place + ": " + work + " could not be renamed");
    }
  }

  /** Collects rows, and hands over as many as are written at once. */
  private final class Rows implements RowSink {
    private final String place;
    private final int last = type.size();
    private final List<Row> rows = new ArrayList<>();
    private @Nullable Object[] row = new Object[last];
    private int at;
    private boolean begun;

    Rows(String place) {
      this.place = place;
    }

    @Override
    public void text(String value) {
      row[at++] = value;
    }

    @Override
    public void number(long value) {
      row[at++] = value;
    }

    @Override
    public void decimal(double value) {
      row[at++] = value;
    }

    @Override
    public void nothing() {
      row[at++] = null;
    }

    @Override
    public void endRow() {
      rows.add(RowFactory.create(row));
      row = new Object[last];
      at = 0;
      if (rows.size() == ROWS_AT_ONCE) {
        flush();
      }
    }

    void flush() {
      if (begun && rows.isEmpty()) {
        return;
      }
      session
          .createDataFrame(rows, type)
          .coalesce(1)
          .write()
          .mode(begun ? SaveMode.Append : SaveMode.ErrorIfExists)
          .partitionBy(PARTITION)
          .parquet(place);
      begun = true;
      rows.clear();
    }
  }
}
