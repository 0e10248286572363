package io.orrery.reports.gates;

import io.orrery.reports.JsonText;
import io.orrery.reports.gates.GateResult.Outcome;
import io.orrery.reports.page.MarkdownPage;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Results of gates for other programs: JSON, JUnit XML, Markdown, annotations of CI systems. */
public final class GateDocuments {
  /** The version of the JSON document's structure. */
  public static final int SCHEMA_VERSION = 1;

  private static final MathContext DIGITS = new MathContext(12);

  private GateDocuments() {}

  /**
   * One JSON document, ended by a new line.
   *
   * @param changes numbers that are not the baseline's
   */
  public static String json(String scenario, List<GateResult> results, int changes) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("scenario", scenario);
    root.put("passed", results.stream().noneMatch(GateResult::failed));
    root.put("verdict", GateText.verdict(results, changes));
    root.put("changed_numbers", changes);
    List<Object> gates = new ArrayList<>();
    for (GateResult result : results) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("variant", result.variant());
      entry.put("key", result.expression().key());
      entry.put("expression", result.expression().text());
      entry.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
      put(entry, "value", result.value());
      put(entry, "limit", result.limit());
      put(entry, "baseline", result.baseline());
      entry.put("file", result.gate().file());
      entry.put("line", result.gate().line());
      gates.add(entry);
    }
    root.put("gates", gates);
    return JsonText.of(root);
  }

  private static void put(Map<String, Object> entry, String key, OptionalDouble value) {
    if (value.isPresent()) {
      BigDecimal rounded = new BigDecimal(value.getAsDouble()).round(DIGITS);
      entry.put(key, rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros());
    }
  }

  /** JUnit XML, a test case a gate. */
  public static String junit(String scenario, List<GateResult> results) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter out = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      out.writeStartDocument("UTF-8", "1.0");
      out.writeCharacters("\n");
      out.writeStartElement("testsuite");
      out.writeAttribute("name", safe(scenario));
      out.writeAttribute("tests", Integer.toString(results.size()));
      out.writeAttribute(
          "failures", Long.toString(results.stream().filter(GateResult::failed).count()));
      out.writeAttribute("errors", "0");
      out.writeAttribute("skipped", "0");
      for (GateResult result : results) {
        testCase(scenario, result, out);
      }
      out.writeCharacters("\n");
      out.writeEndElement();
      out.writeCharacters("\n");
      out.writeEndDocument();
      out.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }

  private static void testCase(String scenario, GateResult result, XMLStreamWriter out)
      throws XMLStreamException {
    out.writeCharacters("\n  ");
    out.writeStartElement("testcase");
    out.writeAttribute("classname", safe(scenario + "." + result.variant()));
    // A CI system knows a test by its name, which must not change with the outcome.
    out.writeAttribute("name", safe(result.gate().text()));
    out.writeAttribute("file", safe(result.gate().file()));
    if (result.gate().line() > 0) {
      out.writeAttribute("line", Integer.toString(result.gate().line()));
    }
    if (result.failed()) {
      out.writeStartElement("failure");
      out.writeAttribute("message", safe(reason(result)));
      out.writeEndElement();
    } else if (result.outcome() == Outcome.WARNED) {
      out.writeStartElement("system-out");
      out.writeCharacters("warning: " + safe(reason(result)));
      out.writeEndElement();
    }
    out.writeEndElement();
  }

  private static String reason(GateResult result) {
    return result.expression().text() + ": " + GateText.detail(result);
  }

  /** XML 1.0 has no control characters. */
  private static String safe(String text) {
    return text.replaceAll("[\\p{Cntrl}\\uFFFE\\uFFFF]", "\uFFFD");
  }

  /**
   * A Markdown table, worst first, the verdict above.
   *
   * @param changes numbers that are not the baseline's
   */
  public static String markdown(String scenario, List<GateResult> results, int changes) {
    StringBuilder out = new StringBuilder();
    out.append("# Gates of ").append(MarkdownPage.escaped(scenario)).append("\n\n");
    out.append("**")
        .append(MarkdownPage.escaped(GateText.verdict(results, changes)))
        .append("**\n\n");
    out.append("| | variant | gate | numbers |\n|---|---|---|---|\n");
    for (GateResult result : results) {
      out.append("| ")
          .append(GateText.label(result.outcome()))
          .append(" | ")
          .append(MarkdownPage.escaped(result.variant()))
          .append(" | ")
          .append(MarkdownPage.escaped(result.expression().text()))
          .append(" | ")
          .append(MarkdownPage.escaped(GateText.detail(result)))
          .append(" |\n");
    }
    return out.toString();
  }

  /** Annotations as GitHub's runners read them, pointing at the gate's line. */
  public static String annotations(List<GateResult> results) {
    StringBuilder out = new StringBuilder();
    for (GateResult result : results) {
      if (result.outcome() != Outcome.PASSED) {
        out.append(result.failed() ? "::error" : "::warning");
        if (!result.gate().isBuiltIn()) {
          out.append(" file=")
              .append(property(result.gate().file()))
              .append(",line=")
              .append(result.gate().line());
        }
        out.append("::").append(message(GateText.line(result))).append('\n');
      }
    }
    return out.toString();
  }

  private static String message(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return message(text).replace(":", "%3A").replace(",", "%2C");
  }
}
