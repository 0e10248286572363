package io.orrery.reports.image;

import java.awt.Dimension;
import java.awt.Graphics2D;
import java.io.IOException;
import java.io.Writer;
import java.util.function.Consumer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.text.TextUtils;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** What is drawn, as SVG: words stay text, and the same drawing gives the same bytes. */
public final class SvgImage {
  private static final String SVG = "http://www.w3.org/2000/svg";

  static {
    // Rotated words stay words, too.
    TextUtils.setUseDrawRotatedStringWorkaround(false);
  }

  private SvgImage() {}

  /**
   * Writes a drawing.
   *
   * @param title what it shows
   * @param description what a reader sees in it, for those who cannot see it
   * @param drawing draws it
   */
  public static void write(
      int width,
      int height,
      String title,
      String description,
      Consumer<Graphics2D> drawing,
      Writer out)
      throws IOException {
    SVGGraphics2D graphics = new SVGGraphics2D(context(), false);
    graphics.setSVGCanvasSize(new Dimension(width, height));
    drawing.accept(graphics);
    Element root = graphics.getRoot();
    root.setAttributeNS(null, "viewBox", "0 0 " + width + " " + height);
    root.setAttributeNS(null, "role", "img");
    root.insertBefore(text(root, "desc", description), root.getFirstChild());
    root.insertBefore(text(root, "title", title), root.getFirstChild());
    graphics.stream(root, out, true, false);
    out.flush();
  }

  private static Element text(Element root, String name, String text) {
    Element element = root.getOwnerDocument().createElementNS(SVG, name);
    element.setTextContent(text);
    return element;
  }

  private static SVGGeneratorContext context() {
    try {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument(SVG, "svg", null);
      SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
      context.setComment("Orrery");
      return context;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }
}
