package io.orrery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The report's page in a real browser: no console error, no request, charts drawn, clicks and zoom
 * work, text stays text. Needs Chromium; says what it skips where there is none.
 */
@Execution(ExecutionMode.SAME_THREAD)
class ReportBrowserIT {
  private static final String ATTACK = "<img src=x onerror=window.pwned=1>";
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** Watches from before the page's own script runs. */
  private static final String WATCH =
      "<script>window.found={errors:[]};"
          + "window.addEventListener('error',function(e){found.errors.push(String(e.message||e.target.src))},true);"
          + "document.addEventListener('securitypolicyviolation',function(e){found.errors.push('csp '+e.blockedURI)});"
          + "</script>";

  /** Uses the page as a reader does, and writes down what happens. */
  private static final String USE =
      """
      <script>
      (function () {
        var svgs = document.querySelectorAll('svg.chart');
        found.charts = svgs.length;
        found.drawn = Array.prototype.filter.call(svgs, function (svg) {
          var box = svg.getBoundingClientRect();
          return box.width > 100 && box.height > 50 && svg.querySelectorAll('path,rect,line').length > 3;
        }).length;
        found.ready = document.documentElement.dataset.ready;
        var box = document.querySelector('input[data-variant="1"]');
        var line = document.querySelector('svg.lines path.s1');
        box.click();
        found.hidden = getComputedStyle(line).display;
        box.click();
        found.shownAgain = getComputedStyle(line).display;
        var svg = document.querySelector('figure[data-chart="sessions-live"] svg.chart');
        var path = svg.querySelector('path.line');
        var before = path.getAttribute('d');
        var frame = svg.getBoundingClientRect();
        function pointer(type, share) {
          svg.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerType: 'mouse',
            clientX: frame.left + frame.width * share, clientY: frame.top + 40}));
        }
        pointer('pointermove', 0.3);
        found.tip = document.querySelector('.tip:not(.hidden)').textContent;
        pointer('pointerdown', 0.3); pointer('pointermove', 0.6); pointer('pointerup', 0.6);
        found.zoomed = path.getAttribute('d') !== before;
        var reset = svg.parentNode.querySelector('button.reset');
        found.resetShown = !reset.classList.contains('hidden');
        reset.click();
        found.whole = reset.classList.contains('hidden');
        svg.focus();
        found.focused = document.activeElement === svg;
        svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        found.keyTip = document.querySelector('.tip:not(.hidden)').textContent;
        svg.dispatchEvent(new KeyboardEvent('keydown', {key: '+', bubbles: true}));
        found.keyZoomed = !reset.classList.contains('hidden');
        svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
        found.keyWhole = reset.classList.contains('hidden');
        var links = Array.prototype.slice.call(document.querySelectorAll('main a[href^="#"]'));
        found.links = links.length;
        found.dead = links.map(function (a) { return decodeURIComponent(a.hash.slice(1)); })
          .filter(function (id) { return !document.getElementById(id); });
        var life = links.filter(function (a) { return a.hash.indexOf('#life-') === 0; })[0];
        var folded = document.getElementById(life.hash.slice(1));
        found.foldedBefore = !folded.open;
        life.click();
        window.dispatchEvent(new HashChangeEvent('hashchange'));
        found.opened = folded.open;
        var words = links.filter(function (a) { return a.hash.indexOf('#decision-') === 0; })[0];
        words.click();
        window.dispatchEvent(new HashChangeEvent('hashchange'));
        var decision = document.getElementById(words.hash.slice(1));
        found.decision = decision.open && decision.textContent;
        found.unnamed = Array.prototype.filter.call(svgs, function (svg) {
          return svg.getAttribute('aria-labelledby').split(' ').some(function (id) {
            return !document.getElementById(id).textContent;
          }) || !svg.closest('figure').querySelector('details table');
        }).length;
        found.unlabelled = Array.prototype.filter.call(document.querySelectorAll('input'), function (input) {
          return !input.closest('label') || !input.closest('label').textContent;
        }).length;
        found.twice = Array.prototype.map.call(document.querySelectorAll('[id]'), function (e) { return e.id; })
          .filter(function (id, i, all) { return all.indexOf(id) !== i; });
        found.pwned = window.pwned === 1;
        found.images = document.images.length;
        found.text = document.body.textContent.indexOf('<img src=x onerror') >= 0;
        found.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        found.requests = performance.getEntriesByType('resource').map(function (r) { return r.name; });
        var out = document.createElement('pre');
        out.id = 'found';
        out.textContent = JSON.stringify(found);
        document.body.appendChild(out);
      })();
      </script>
      """;

  @TempDir Path folder;

  private static String browser() {
    for (String name : BROWSERS) {
      for (String place : System.getenv("PATH").split(File.pathSeparator)) {
        if (Files.isExecutable(Path.of(place, name))) {
          return name;
        }
      }
    }
    assumeTrue(false, "skipped: the page in a browser, since there is no " + BROWSERS);
    return "";
  }

  private record Visit(JsonNode found, String log) {}

  /** Opens a page, uses it, and reads what was written down. */
  private Visit visit(String html, int width) throws Exception {
    Path page = folder.resolve("page-" + width + ".html");
    Files.writeString(
        page, html.replace("<head>\n", "<head>\n" + WATCH).replace("</body>", USE + "</body>"));
    Path out = folder.resolve("dom-" + width);
    Path log = folder.resolve("log-" + width);
    List<String> command = new ArrayList<>();
    command.add(browser());
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--user-data-dir=" + folder.resolve("profile-" + width),
            "--enable-logging=stderr",
            "--window-size=" + width + ",900",
            "--virtual-time-budget=5000",
            "--dump-dom",
            page.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("the browser ends").isTrue();
    Matcher result =
        Pattern.compile("<pre id=\"found\">(.*?)</pre>").matcher(Files.readString(out));
    assertThat(result.find()).as(Files.readString(log)).isTrue();
    String json = result.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    return new Visit(new ObjectMapper().readTree(json), Files.readString(log, UTF_8));
  }

  private String report() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    String hostile =
        Files.readString(folder.resolve("small.jsonl")).replace("\"s3\"", "\"" + ATTACK + "\"");
    Files.writeString(folder.resolve("small.jsonl"), hostile);
    Path scenario = folder.resolve("hostile.yaml");
    Files.writeString(
        scenario,
        """
        trace: {files: small.jsonl, blockSize: 64}
        cluster: {pools: [{workers: 3}]}
        engine: {blockSize: 64, kvBlocks: 400}
        variants:
          - {name: turns, set: {routing.policy: round-robin}}
          - {name: kv, set: {routing.policy: kv-aware}}
        """);
    Path out = folder.resolve("out");
    Orrery.run(
            "run",
            scenario.toString(),
            "-q",
            "--no-parquet",
            "--decisions",
            out.resolve("decisions.jsonl").toString(),
            "-o",
            out.toString())
        .succeeded();
    return Files.readString(out.resolve("report.html"));
  }

  @Test
  void thePageWorksAndAsksForNothing() throws Exception {
    browser();
    String html = report();
    for (int width : new int[] {1200, 390}) {
      Visit visit = visit(html, width);
      JsonNode found = visit.found();

      assertThat(found.get("errors")).as("errors").isEmpty();
      assertThat(visit.log()).doesNotContain("CONSOLE");
      assertThat(found.get("requests")).as("requests").isEmpty();
      assertThat(found.get("ready").asText()).isEqualTo("true");
      assertThat(found.get("charts").asInt()).isGreaterThan(12);
      assertThat(found.get("drawn").asInt()).isEqualTo(found.get("charts").asInt());
      assertThat(found.get("hidden").asText()).isEqualTo("none");
      assertThat(found.get("shownAgain").asText()).isNotEqualTo("none");
      assertThat(found.get("tip").asText()).contains("simulated time", "turns");
      assertThat(found.get("zoomed").asBoolean()).isTrue();
      assertThat(found.get("resetShown").asBoolean()).isTrue();
      assertThat(found.get("whole").asBoolean()).isTrue();
      assertThat(found.get("focused").asBoolean()).isTrue();
      assertThat(found.get("keyTip").asText()).contains("simulated time", "turns");
      assertThat(found.get("keyZoomed").asBoolean()).isTrue();
      assertThat(found.get("keyWhole").asBoolean()).isTrue();
      assertThat(found.get("links").asInt()).isGreaterThan(50);
      assertThat(found.get("dead")).as("links that lead nowhere").isEmpty();
      assertThat(found.get("foldedBefore").asBoolean()).isTrue();
      assertThat(found.get("opened").asBoolean()).as("the life of a session").isTrue();
      assertThat(found.get("decision").asText()).contains("By the step-time model", "chosen");
      assertThat(found.get("unnamed").asInt()).as("pictures without words or table").isZero();
      assertThat(found.get("unlabelled").asInt()).as("boxes without a label").isZero();
      assertThat(found.get("twice")).as("ids that are not unique").isEmpty();
      assertThat(found.get("pwned").asBoolean()).isFalse();
      assertThat(found.get("images").asInt()).isZero();
      assertThat(found.get("text").asBoolean()).isTrue();
      assertThat(found.get("overflow").asInt()).as("wider than " + width).isLessThanOrEqualTo(0);
    }
  }

  @Test
  void fiftyThousandRequestsFitInTwoMegabytes() throws IOException {
    StringBuilder trace = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      trace.append("{\"timestamp\": ").append(20 * i);
      trace.append(", \"session_id\": \"session-").append(i / 5).append('"');
      trace.append(", \"input_length\": ").append(1030 + i % 400);
      trace.append(", \"output_length\": ").append(1 + i % 40);
      trace
          .append(", \"hash_ids\": [")
          .append(i / 5)
          .append(", ")
          .append(100_000 + i)
          .append("]}\n");
    }
    Files.writeString(folder.resolve("many.jsonl"), trace);
    Path scenario = folder.resolve("many.yaml");
    Files.writeString(
        scenario,
        """
        trace: {files: many.jsonl, dispatch: timestamps}
        cluster: {pools: [{workers: 8}]}
        stepTime: {model: polynomial}
        variants:
          - {name: turns, set: {routing.policy: round-robin}}
          - {name: load, set: {routing.policy: least-loaded}}
          - {name: kv, set: {routing.policy: kv-aware}}
        """);
    Path out = folder.resolve("many");
    Orrery.run("run", scenario.toString(), "-q", "--no-parquet", "-o", out.toString()).succeeded();

    assertThat(Files.size(out.resolve("report.html"))).isLessThan(2_000_000);
  }
}
