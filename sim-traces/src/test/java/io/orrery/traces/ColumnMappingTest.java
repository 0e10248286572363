package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables and JSON lines of no known format. */
class ColumnMappingTest {
  @Test
  void aTableByItsColumns() {
    ColumnMapping mapping =
        ColumnMapping.parse(
            "input=prompt_tokens,output=gen,timestamp=ts:iso,session=user,total=took:ms,ttft=first:s,cached=hit,model=m,finish=why,hashes=h,request=id,worker=pod,priority=p,tools=t");
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withColumns(mapping).withBlockSize(4),
            "id,ts,user,prompt_tokens,gen,took,first,hit,m,why,h,pod,p,t",
            "q1,2026-01-01T00:00:00Z,u,9,3,1500,0.25,8,qwen,stop,\"[1, 2, 18446744073709551615]\",w1,2,bash",
            "q2,2026-01-01T00:00:02Z,u,12,1,,,,,,,,,");

    assertThat(trace.recordedTotalNanos(0)).isEqualTo(1_500_000_000L);
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(250_000_000L);
    assertThat(trace.recordedCachedTokens(0)).isEqualTo(8);
    assertThat(trace.model(0)).isEqualTo("qwen");
    assertThat(trace.recordedFinishReason(0)).isEqualTo("stop");
    assertThat(trace.recordedWorker(0)).isEqualTo("w1");
    assertThat(trace.recordedTools(0)).isEqualTo("bash");
    assertThat(trace.priority(0)).isEqualTo(2);
    assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
    assertThat(trace.model(1)).isNull();
    assertThat(EdgeText.of(trace, "q2")).isEqualTo("COMPLETION q1 +500 ms");
    assertThat(trace.provenance().notes()).anyMatch(note -> note.contains("timestamp=ts:iso"));
  }

  @Test
  void jsonLinesByTheirKeys() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults()
                .withColumns(ColumnMapping.parse("input=i,output=o,timestamp=t:us")),
            "{\"t\": 1500.5, \"i\": 7, \"o\": \"3\"}",
            "{\"t\": \"2500\", \"i\": 8, \"o\": 1, \"x\": {\"y\": []}}");

    assertThat(trace.arrivalNanos(1)).isEqualTo(999_500L);
    assertThat(trace.outputTokens(0)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "input=a,output=b|no timestamp, expected timestamp, input and output at least",
        "input=a,output=b,timestamp=c|timestamp=c, expected a column and a unit, one of iso, min, ms, ns, s, us: timestamp=COLUMN:s",
        "input=a,output=b,timestamp=c:h|timestamp=c:h, expected a column and a unit, one of iso, min, ms, ns, s, us: timestamp=COLUMN:s",
        "input=a,input=b|input twice, expected each name once",
        "input=a,output=a|column a twice, expected each column once",
        "inputs=a|\"inputs\", expected one of timestamp, input, output, session,",
        "input|\"input\", expected NAME=COLUMN, as in input=prompt_tokens,timestamp=ts:s",
        "input=|\"input=\", expected NAME=COLUMN, as in input=prompt_tokens,timestamp=ts:s"
      })
  void mappingsThatMakeNoSense(String text, String message) {
    assertThatThrownBy(() -> ColumnMapping.parse(text))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith("column mapping: found " + message);
  }
}
