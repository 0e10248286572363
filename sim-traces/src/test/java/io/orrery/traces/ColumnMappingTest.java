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

  /** A total that is not mapped is the time until the end. */
  @Test
  void endsMakeTotals() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults()
                .withColumns(
                    ColumnMapping.parse("input=i,output=o,timestamp=t:s,end=e:s,session=u")),
            "t,e,i,o,u",
            "1,1.75,9,3,a",
            "4,3,9,3,a",
            "6,,9,3,a");

    assertThat(trace.recordedTotalNanos(0)).isEqualTo(750_000_000L);
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.recordedTotalNanos(2)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(1))).isEqualTo(2_250_000_000L);
    assertThat(trace.provenance().counters())
        .containsEntry("ends before their starts, left out", 1L);
  }

  @Test
  void keysOfNestedObjectsAreCalledByTheirPaths() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults()
                .withColumns(
                    ColumnMapping.parse(
                        "input=usage.in.all,output=usage.out,timestamp=t:s,model=usage.model")),
            "{\"usage\": {\"out\": 3, \"in\": {\"all\": 7, \"x\": {\"all\": 1}}, \"y\": [9]}, \"t\": 1}",
            "{\"t\": 3, \"usage\": {\"in\": {\"all\": 8}, \"out\": 4, \"model\": \"m\"}, \"in\": 5}");

    assertThat(trace.inputTokens(0)).isEqualTo(7);
    assertThat(trace.outputTokens(0)).isEqualTo(3);
    assertThat(trace.model(0)).isNull();
    assertThat(trace.inputTokens(1)).isEqualTo(8);
    assertThat(trace.model(1)).isEqualTo("m");
    assertThat(trace.arrivalNanos(1)).isEqualTo(2_000_000_000L);
  }

  @Test
  void aColumnThatIsNotThereIsAnErrorEvenIfItWouldBeOptional() {
    TraceOptions options =
        TraceOptions.defaults()
            .withColumns(ColumnMapping.parse("input=i,output=o,timestamp=t:s,session=usr"));

    assertThatThrownBy(() -> TraceText.read(options, "t,i,o,user", "1,2,3,a"))
        .hasMessageContaining(
            ":1: usr: found a table with the columns t, i, o, user, expected a column of this name");
    assertThatThrownBy(() -> TraceText.read(options, "{\"t\":1,\"i\":2,\"o\":3,\"user\":\"a\"}"))
        .hasMessageContaining("found no row with usr");
    assertThat(
            TraceText.read(
                    options, "{\"t\":1,\"i\":2,\"o\":3}", "{\"t\":1,\"i\":2,\"o\":3,\"usr\":\"a\"}")
                .sessionCount())
        .isEqualTo(2);
  }

  @Test
  void otherSeparatorsThanCommasAreNamed() {
    TraceOptions options =
        TraceOptions.defaults().withColumns(ColumnMapping.parse("input=i,output=o,timestamp=t:s"));

    assertThatThrownBy(() -> TraceText.read(options, "t;i;o", "1;2;3"))
        .hasMessageContaining(
            ":1: found a table with semicolons between its columns, expected commas");
    assertThatThrownBy(() -> TraceText.read(TraceOptions.defaults(), "t\ti\to", "1\t2\t3"))
        .hasMessageContaining(":1: found a table with tabs between its columns, expected commas");
  }

  @Test
  void aMissingValueIsNamedWithTheLineOfItsRow() {
    TraceOptions options =
        TraceOptions.defaults().withColumns(ColumnMapping.parse("input=i,output=o,timestamp=t:s"));

    assertThatThrownBy(() -> TraceText.read(options, "t,i,o", "1,2,3", "2,,3", "3,4,5"))
        .hasMessageContaining(":3: i: found nothing");
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
