package io.orrery.reports.page;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Digits;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.figures.Report;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A report as JSON, from which every form of it can be made again without simulating. Numbers are
 * kept to seven digits.
 */
public final class ReportJson {
  /** The version of the document's structure. */
  public static final int SCHEMA_VERSION = 2;

  private static final ObjectMapper MAPPER = mapper();

  private ReportJson() {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LineChart.class, name = "lines"),
    @JsonSubTypes.Type(value = PointChart.class, name = "points"),
    @JsonSubTypes.Type(value = BarChart.class, name = "bars"),
    @JsonSubTypes.Type(value = BoxChart.class, name = "boxes"),
    @JsonSubTypes.Type(value = HeatMap.class, name = "map")
  })
  private interface Kinds {}

  private record Document(int schemaVersion, Report report) {}

  private static ObjectMapper mapper() {
    SimpleModule numbers = new SimpleModule();
    numbers.addSerializer(double.class, new Number());
    numbers.addSerializer(double[].class, new Numbers());
    ObjectMapper mapper = new ObjectMapper();
    mapper.registerModule(numbers);
    mapper.addMixIn(Chart.class, Kinds.class);
    return mapper;
  }

  private static void write(double value, JsonGenerator out) throws IOException {
    if (Double.isFinite(value)) {
      BigDecimal rounded = new BigDecimal(value).round(Digits.PRECISION);
      BigDecimal plain = rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
      out.writeNumber(plain.scale() < 0 ? plain.setScale(0) : plain);
    } else {
      out.writeString("NaN");
    }
  }

  private static final class Number extends JsonSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      write(value, out);
    }
  }

  private static final class Numbers extends JsonSerializer<double[]> {
    @Override
    public void serialize(double[] values, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartArray();
      for (double value : values) {
        write(value, out);
      }
      out.writeEndArray();
    }
  }

  /** The report as JSON, ended by a new line. */
  public static String of(Report report) {
    try {
      return MAPPER.writeValueAsString(new Document(SCHEMA_VERSION, report)) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The report that a document holds.
   *
   * @throws IllegalArgumentException with what was found and expected, if it is no such document
   */
  public static Report read(String json) {
    try {
      JsonNode tree = MAPPER.readTree(json);
      @Nullable JsonNode version = tree == null ? null : tree.get("schemaVersion");
      if (version == null || version.asInt() != SCHEMA_VERSION) {
        throw new IllegalArgumentException(
            "schemaVersion: found " + version + ", expected " + SCHEMA_VERSION);
      }
      return MAPPER.treeToValue(tree, Document.class).report();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("found no report (" + e.getOriginalMessage() + ")", e);
    }
  }
}
