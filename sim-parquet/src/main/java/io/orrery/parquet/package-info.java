/**
 * Typed columns in and out of Parquet files: kernel tables, traces and results. No Hadoop, no
 * native library, nothing printed.
 *
 * <h2>Reading</h2>
 *
 * {@link io.orrery.parquet.ParquetReader} opens a file and knows its {@link
 * io.orrery.parquet.Schema}, rows, row groups and key-value metadata after reading the footer only.
 * It decodes the columns that it is asked for into a {@link io.orrery.parquet.ParquetTable}, all
 * rows at once or one row group after the other, and the table hands out plain arrays:
 *
 * <pre>{@code
 * ParquetTable kernels = ParquetReader.readTable(path, "gemm_dtype", "m", "n", "k", "latency");
 * int[] m = kernels.ints("m");
 * double[] latency = kernels.doubles("latency");
 * }</pre>
 *
 * A column that is not there, of another type, null where it must not be, or compressed in a way
 * that is not known here is a {@link io.orrery.parquet.ParquetException} that names file, column,
 * what was found and what was expected. So is a file that is damaged: lengths and counts in it are
 * believed only as far as there are bytes, and pages are checked against their checksums where they
 * have any.
 *
 * <h2>Writing</h2>
 *
 * {@link io.orrery.parquet.ParquetWriter} takes whole tables ({@link
 * io.orrery.parquet.ParquetTableBuilder} makes them of arrays) or rows ({@link
 * io.orrery.parquet.ColumnAppender}), and keeps no more than one row group in memory, encoded. The
 * same rows, metadata and {@link io.orrery.parquet.WriteOptions} give the same bytes. A file
 * appears under its name when it is complete, and not before.
 *
 * <h2>Types</h2>
 *
 * Booleans, ints, longs, doubles, text, lists of ints and lists of longs, each with nulls or
 * without: {@link io.orrery.parquet.ColumnType}. Columns of other types, which other writers may
 * have put into a file, are listed as {@link io.orrery.parquet.ColumnType#OTHER} and do not stand
 * in the way of the rest.
 *
 * <h2>How it works</h2>
 *
 * Apache Parquet's artefacts {@code parquet-column} (encodings) and {@code
 * parquet-format-structures} (headers and footers) do not know Hadoop; {@code parquet-hadoop},
 * which reads and writes files with them, does, down to its method signatures. So the file is laid
 * out here, which is little: {@code PAR1}, pages, footer, its length, {@code PAR1}. A row group
 * holds one chunk of pages per column. {@code ParquetFile} finds the footer, {@code SchemaReader}
 * the columns in it, {@code ChunkReader} goes through a chunk's pages and {@code ColumnValues}
 * grows the arrays; on the way out {@code ChunkWriter} encodes pages. {@link
 * io.orrery.parquet.Compression} holds the codecs.
 *
 * <p>Written are pages of version 1 with checksums, a dictionary where values repeat, else deltas
 * for integers and text, without minima and maxima: files are read whole, by column. Read are both
 * page versions, every encoding of {@code parquet-column}, and the schemas of Arrow, DuckDB and
 * Spark.
 *
 * <p>Parquet logs through SLF4J. This module brings the provider that says nothing; a program with
 * a log of its own leaves {@code slf4j-nop} out.
 */
@NullMarked
package io.orrery.parquet;

import org.jspecify.annotations.NullMarked;
