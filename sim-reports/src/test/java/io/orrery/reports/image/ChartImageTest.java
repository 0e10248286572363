package io.orrery.reports.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class ChartImageTest {
  private static final String ATTACK = "<script>alert(1)</script>&\"'";
  private static final Axis SECONDS = Axis.linear("time", Axis.Unit.SECONDS);
  private static final Axis MILLIS = Axis.log("TTFT", Axis.Unit.MILLIS);

  private static LineChart lines(double limit, LineChart.Line... lines) {
    return new LineChart(
        "lines",
        "Over time",
        "What it shows.",
        SECONDS,
        MILLIS,
        List.of(lines),
        false,
        limit,
        "95 %");
  }

  private static LineChart.Line line(String name, double... y) {
    double[] x = new double[y.length];
    Arrays.setAll(x, i -> i);
    return new LineChart.Line(name, x, y);
  }

  private static BarChart bars(double... parts) {
    List<BarChart.Part> all = new ArrayList<>();
    for (double part : parts) {
      all.add(new BarChart.Part("part " + all.size(), new double[] {part, 1}));
    }
    return new BarChart("bars", "Bars", "Shares.", SECONDS, List.of("one", "one"), all);
  }

  private static Stream<Chart> charts() {
    return Stream.of(
        lines(Double.NaN, line("a", 10, 200, 3000), line("b", 20, 20, 20)),
        bars(1, 2, 3),
        new PointChart(
            "points",
            "Points",
            "Points.",
            SECONDS,
            MILLIS,
            List.of(
                new PointChart.Series(
                    "a",
                    List.of(
                        new PointChart.Point("one", 1, 20, true),
                        new PointChart.Point("two", Double.NaN, 20, false))),
                new PointChart.Series("b", List.of())),
            30,
            "promised",
            "the best"),
        new BoxChart(
            "boxes",
            "Boxes",
            "Boxes.",
            "turn",
            MILLIS,
            List.of("1", "2"),
            List.of(
                new BoxChart.Group(
                    "a", Arrays.asList(new BoxChart.Box(1, 2, 3, 40, 500, 7), null)))),
        new HeatMap(
            "map",
            "Map",
            "Cells.",
            SECONDS,
            SECONDS,
            List.of("worker 0", "worker 1"),
            new double[] {0, 1, 2},
            new double[][] {{1, 2}, {Double.NaN, 4}},
            0));
  }

  private static String svg(Chart chart) throws IOException {
    StringWriter out = new StringWriter();
    ChartImage.of(chart).svg(out);
    return out.toString();
  }

  private static BufferedImage png(Chart chart) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ChartImage.of(chart).png(out);
    return ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
  }

  private static Document parsed(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    DocumentBuilder builder = factory.newDocumentBuilder();
    return builder.parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document document, String tag) {
    NodeList nodes = document.getElementsByTagName(tag);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent().strip());
    }
    return texts;
  }

  @ParameterizedTest
  @MethodSource("charts")
  void theSameChartIsTheSameTextEveryTime(Chart chart) throws Exception {
    assertThat(svg(chart)).isEqualTo(svg(chart));
    assertThat(texts(parsed(svg(chart)), "title")).containsExactly(chart.title());
  }

  @ParameterizedTest
  @MethodSource("charts")
  void aPictureIsPaintedAndHasColours(Chart chart) throws IOException {
    BufferedImage image = png(chart);
    Set<Integer> colours = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x += 2) {
      for (int y = 0; y < image.getHeight(); y += 2) {
        colours.add(image.getRGB(x, y));
      }
    }
    assertThat(image.getWidth()).isEqualTo(1080);
    assertThat(colours).hasSizeGreaterThan(8);
  }

  @Test
  void wordsAreText() throws Exception {
    List<String> words = texts(parsed(svg(lines(95, line("first", 10, 200, 3000)))), "text");

    assertThat(words)
        .contains("Over time", "What it shows.", "first", "95 %")
        .contains("TTFT (log scale)", "10 ms", "100 ms", "1 s", "time", "0 s");
  }

  @Test
  void namesFromOutsideStayText() throws Exception {
    Chart chart = lines(Double.NaN, line(ATTACK, 1, 2), line(ATTACK + "2", 1, 2));

    assertThat(svg(chart)).doesNotContain("<script");
    assertThat(texts(parsed(svg(chart)), "text")).contains(ATTACK);
  }

  @Test
  void linesDifferInDashesNotOnlyInColour() throws IOException {
    String svg = svg(lines(Double.NaN, line("a", 1, 2), line("b", 2, 3), line("c", 3, 4)));

    assertThat(svg).contains("stroke-dasharray:7,3", "stroke-dasharray:2,3");
  }

  @Test
  void whatIsUnknownIsLeftBlank() throws Exception {
    int whole = count(svg(lines(Double.NaN, line("a", 1, 2, 3, 4, 5))), " L");
    int torn = count(svg(lines(Double.NaN, line("a", 1, 2, Double.NaN, 4, 5))), " L");

    assertThat(torn).isLessThan(whole);
    assertThat(count(svg(bars(1, Double.NaN)), "<rect"))
        .isEqualTo(count(svg(bars(1, 2)), "<rect") - 2);
  }

  @Test
  void aValueBetweenUnknownOnesIsADot() throws Exception {
    double none = Double.NaN;
    LineChart without = lines(none, line("a", 10, none, none, none, 3000), line("b", 20, 20));
    LineChart with = lines(none, line("a", 10, none, 200, none, 3000), line("b", 20, 20));
    // Rounds of curves: the values at both ends stand alone, too.
    assertThat(curves(with)).isPositive().isEqualTo(curves(without) * 3 / 2);
    assertThat(curves(lines(none, line("b", 20, 20)))).isZero();
    assertThat(curves(stepped(with))).isEqualTo(curves(with));
    assertThat(painted(png(with))).isGreaterThan(painted(png(without)));
  }

  @Test
  void theNameOfALimitStandsAboveItsLineUnlessThePlotEndsThere() throws IOException {
    LineChart low = lines(10, line("a", 1, 100));
    LineChart high = lines(95, line("a", 1, 100));

    assertThat(heightOfLimitName(low)).isLessThan(heightOfLine(low));
    assertThat(heightOfLimitName(high)).isGreaterThan(heightOfLine(high));
  }

  private static double heightOfLimitName(Chart chart) throws IOException {
    return number(svg(chart), "<text[^>]* y=\"([0-9.]+)\"[^>]*>95 %");
  }

  /** The line of a limit is the only one that is dotted from side to side. */
  private static double heightOfLine(Chart chart) throws IOException {
    return number(svg(chart), "stroke-dasharray:2,3[^>]*>\\s*<line[^>]* y1=\"([0-9.]+)\"");
  }

  private static double number(String svg, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(svg);
    assertThat(found.find()).as(pattern + " in " + svg).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private static LineChart stepped(LineChart chart) {
    return new LineChart(
        chart.id(),
        chart.title(),
        chart.description(),
        chart.x(),
        chart.y(),
        chart.lines(),
        true,
        chart.limit(),
        chart.limitName());
  }

  private static int curves(Chart chart) throws IOException {
    return count(svg(chart), " C");
  }

  /** Dark pixels. */
  private static long painted(BufferedImage image) {
    long painted = 0;
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        painted +=
            (image.getRGB(x, y) & 0xff) < 0xd0 || (image.getRGB(x, y) >> 16 & 0xff) < 0xd0 ? 1 : 0;
      }
    }
    return painted;
  }

  @Test
  void barsOfOneNameStayApart() throws Exception {
    assertThat(texts(parsed(svg(bars(1, 2))), "text").stream().filter("one"::equals)).hasSize(2);
  }

  private static int count(String text, String part) {
    return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
  }
}
