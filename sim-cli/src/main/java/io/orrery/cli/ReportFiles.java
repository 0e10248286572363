package io.orrery.cli;

import io.orrery.reports.chart.Chart;
import io.orrery.reports.figures.Report;
import io.orrery.reports.image.ChartImage;
import io.orrery.reports.page.HtmlPage;
import io.orrery.reports.page.MarkdownPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that a report is read as. */
final class ReportFiles {
  /** The folder of images. */
  static final String CHARTS = "charts";

  private ReportFiles() {}

  /** As what charts are written. */
  enum Images {
    NONE,
    SVG,
    SVG_AND_PNG
  }

  /** A chart as it is written. */
  private record Image(String name, String svg, byte @Nullable [] png) {
    static Image of(Chart chart, boolean withPng) {
      ChartImage image = ChartImage.of(chart);
      StringWriter svg = new StringWriter();
      ByteArrayOutputStream png = new ByteArrayOutputStream();
      try {
        image.svg(svg);
        if (withPng) {
          image.png(png);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Image(
          CHARTS + "/" + chart.id(), svg.toString(), withPng ? png.toByteArray() : null);
    }
  }

  /**
   * The pages, by name.
   *
   * @param images whether image files stand beside them
   */
  private static Map<String, OutputFolder.Content> pages(Report report, boolean images) {
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    files.put("report.html", OutputFolder.Content.text(out -> out.write(HtmlPage.of(report))));
    files.put(
        "report.md",
        OutputFolder.Content.text(out -> out.write(MarkdownPage.of(report, images ? CHARTS : ""))));
    return files;
  }

  /** All files, by name. */
  static Map<String, OutputFolder.Content> of(Report report, Images images) {
    Map<String, OutputFolder.Content> files = pages(report, images != Images.NONE);
    if (images == Images.NONE) {
      return files;
    }
    boolean withPng = images == Images.SVG_AND_PNG;
    // Drawing takes longer than all else here: on as many processors as there are.
    for (Image image :
        report.charts().parallelStream().map(chart -> Image.of(chart, withPng)).toList()) {
      files.put(image.name() + ".svg", OutputFolder.Content.text(out -> out.write(image.svg())));
      byte[] png = image.png();
      if (png != null) {
        files.put(image.name() + ".png", file -> Files.write(file, png));
      }
    }
    return files;
  }
}
