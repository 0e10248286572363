package io.orrery.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.summary.Runs;
import io.orrery.traces.Trace;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestsCsvTest {
  /** The three requests that SummaryTest works out. */
  @Test
  void aLineForEachRequestThatWasSent() throws IOException {
    Trace trace = Runs.twoSessionsTrace();
    StringWriter out = new StringWriter();

    RequestsCsv csv = new RequestsCsv(out);
    csv.write("first, \"best\"", trace, Runs.twoSessions(trace));

    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0))
        .startsWith("run,request,session,turn,copy,state,worker,input_tokens,output_tokens,")
        .contains(",hit_device,", ",misplaced_chosen,")
        .endsWith(",unreachable,reason");
    assertThat(lines.get(2))
        .startsWith(
            "\"first, \"\"best\"\"\",a2,a,1,0,finished,0,12,1,0,120000000,120000000,120000000,120000000,"
                + "130000000,,130000000,0,0,,8,0,0,0,4,");
    for (String line : lines) {
      assertThat(line.replaceAll("\"[^\"]*\"", "").chars().filter(c -> c == ',').count())
          .isEqualTo(lines.get(0).chars().filter(c -> c == ',').count());
    }
  }
}
