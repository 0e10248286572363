package io.orrery.reports.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.figures.ChartTable;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.SampleReport;
import io.orrery.traces.Trace;
import java.io.StringReader;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class ReportPagesTest {
  private static final String ATTACK =
      "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&|`[x](javascript:1)";

  @Test
  void aReportReadFromJsonGivesTheSamePages() {
    String json = ReportJson.of(SampleReport.of("r"));
    Report read = ReportJson.read(json);

    assertThat(ReportJson.of(read)).isEqualTo(json);
    assertThat(HtmlPage.of(ReportJson.read(json))).isEqualTo(HtmlPage.of(read));
    assertThat(read.charts()).hasSameSizeAs(SampleReport.of("r").charts());
  }

  @Test
  void whatIsNoReportIsRefused() {
    assertThatThrownBy(() -> ReportJson.read("{\"schemaVersion\": 99}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("schemaVersion: found 99, expected 2");
    assertThatThrownBy(() -> ReportJson.read("{\"schemaVersion\": 2, \"report\": [}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no report");
  }

  @Test
  void namesFromOutsideStayText() {
    Trace trace =
        Trace.builder(4)
            .session(ATTACK)
            .request(ATTACK)
            .input(8)
            .output(2)
            .blocks(1, 2)
            .arrival(0)
            .build();
    Report report = SampleReport.of(ATTACK, trace);

    String html = HtmlPage.of(report);
    assertThat(html).contains("&lt;/script&gt;").doesNotContain("<script>alert", "<img src=x");
    assertThat(Pattern.compile("<script").matcher(html).results().count()).isEqualTo(2);
    assertThat(html).doesNotContain("onerror=alert(2)>");

    String markdown = MarkdownPage.of(report, "charts");
    assertThat(markdown).doesNotContain("<script", "<img", "[x](").contains("&lt;/script&gt;");
    for (String line : markdown.split("\n", -1)) {
      if (line.startsWith("| ")) {
        assertThat(line).as("a table's line").endsWith("|");
      }
    }
  }

  @Test
  void everyPictureIsWellFormedAndNamed() throws Exception {
    String html = HtmlPage.of(SampleReport.of("r & s"));
    var pictures = Pattern.compile("(?s)<svg viewBox=\"0 0 720.*?</svg>").matcher(html);
    int count = 0;
    while (pictures.find()) {
      count++;
      var document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(pictures.group())));
      assertThat(document.getElementsByTagName("title").item(0).getTextContent()).isNotBlank();
      assertThat(document.getElementsByTagName("desc").item(0).getTextContent()).isNotBlank();
    }
    assertThat(count).isEqualTo(SampleReport.of("r & s").charts().size());
  }

  @Test
  void thePageNeedsNothingElse() {
    String html = HtmlPage.of(SampleReport.of("r"));
    String withoutNamespace = html.replace("http://www.w3.org/2000/svg", "");
    assertThat(withoutNamespace).doesNotContain("http://", "https://", "src=", "@import", "url(");
    assertThat(html).contains("default-src 'none'");
  }

  @Test
  void aValueBetweenUnknownOnesIsADot() {
    double none = Double.NaN;
    LineChart.Line line =
        new LineChart.Line(
            "a", new double[] {0, 1, 2, 3, 4, 5}, new double[] {10, 10, none, 5, none, none});
    LineChart chart =
        new LineChart(
            "lines",
            "Lines",
            "Lines.",
            Axis.linear("x", Axis.Unit.COUNT),
            Axis.linear("y", Axis.Unit.COUNT),
            List.of(line),
            false,
            none,
            "");
    Markup out = new Markup();
    // 100 to each step of x, 10 to each of y, whose 10 is at the top: 12
    Plot plot = new Plot(out, 100, 0, 500);
    LinePath path = new LinePath(line, chart.ticks(true), chart.ticks(false), plot);

    assertThat(path.line(false)).isEqualTo("M0 12L100 12M300 62");
    assertThat(path.dots()).startsWith("M300 62m-3 0").containsOnlyOnce("M");
    Drawing.draw(chart, out);
    assertThat(out.toString()).containsOnlyOnce("class=\"s0 dots\"");
    assertThat(ChartTable.of(chart).rows()).hasSize(6);
  }

  @Test
  void allIdsAreUnique() {
    String html = HtmlPage.of(SampleReport.of("r"));
    var ids =
        Pattern.compile(" id=\"([^\"]*)\"").matcher(html).results().map(m -> m.group(1)).toList();
    assertThat(ids).doesNotHaveDuplicates();
  }
}
