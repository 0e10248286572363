package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells, quotes and headers of tables as people and programs write them. */
class TableRowsTest {
  private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  private static final ColumnMapping MAPPING =
      ColumnMapping.parse("timestamp=ts:s,input=in,output=out");

  @TempDir Path folder;

  private final List<String> kept = new ArrayList<>();

  /** The place is where the quote opens, not the end of the file, which it swallows. */
  @Test
  void aQuoteThatIsNeverClosedIsAnErrorOfTheLineThatOpensIt() throws IOException {
    assertThatThrownBy(() -> read(HEADER + row(1) + '"' + row(2) + rows(3, 52)))
        .hasMessage(
            file() + ":3: TIMESTAMP: found a quote that is never closed, expected a closing quote");
    assertThatThrownBy(() -> read(HEADER + row(1) + "2023-11-16 18:15:02,5,\"4\n" + row(3)))
        .hasMessage(
            file()
                + ":3: GeneratedTokens: found a quote that is never closed, expected a closing"
                + " quote");
  }

  @Test
  void onlyTheLineThatOpensTheQuoteIsKeptAside() throws IOException {
    TraceReading reading = readAside(HEADER + row(1) + '"' + row(2) + rows(3, 52));

    assertThat(kept).containsExactly("3 \"" + row(2).strip());
    assertThat(reading.findings().all().get(0).place()).isEqualTo(file() + ":3:TIMESTAMP");
    assertThat(reading.trace().requestCount()).isEqualTo(51);
  }

  /** The quote that seems to close the first one opens another cell. */
  @Test
  void quotesThatAreNeverClosedTakeALineEach() throws IOException {
    String text = HEADER + row(1) + '"' + row(2) + row(3) + '"' + row(4) + rows(5, 9);

    assertThat(readAside(text).trace().requestCount()).isEqualTo(7);
    assertThat(kept).containsExactly("3 \"" + row(2).strip(), "5 \"" + row(4).strip());
    assertThatThrownBy(() -> read(text))
        .hasMessage(
            file()
                + ":3: TIMESTAMP: found a quoted cell of 3 lines that goes on behind its closing"
                + " quote, expected a comma or the end of the line behind it, and two quotes for"
                + " one inside");
  }

  @Test
  void textBehindAClosingQuoteIsABadRow() throws IOException {
    String text = HEADER + row(1) + "2023-11-16 18:15:02,\"5\"x,4\n" + row(3);

    assertThat(readAside(text).trace().requestCount()).isEqualTo(2);
    assertThat(kept).containsExactly("3 2023-11-16 18:15:02,\"5\"x,4");
    assertThatThrownBy(() -> read(text))
        .hasMessageStartingWith(file() + ":3: ContextTokens: found a quoted cell that goes on");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2023-11-16 18:15:02,5,4,9|4",
        "2023-11-16 18:15:02,68,5,4|4",
        "2023-11-16 18:15:02,5,4,,|5",
        "2023-11-16 18:15:02,5,4,,,7|6"
      })
  void aRowOfTooManyCellsIsABadRow(String row, int cells) throws IOException {
    String text = HEADER + row(1) + row + "\n" + row(3) + row(4);

    assertThat(readAside(text).trace().requestCount()).isEqualTo(3);
    assertThat(kept).containsExactly("3 " + row);
    assertThatThrownBy(() -> read(text))
        .hasMessage(file() + ":3: found " + cells + " cells, expected 3");
  }

  @Test
  void aCommaAtTheEndOfARowIsNoCell() throws IOException {
    assertThat(read(HEADER + row(1) + "2023-11-16 18:15:02,5,4,\n" + row(3)).requestCount())
        .isEqualTo(3);
  }

  /** As pandas writes them unless it is told not to. */
  @ParameterizedTest
  @ValueSource(strings = {",", " ,", "\"\",", "\n,", "\ufeff,"})
  void anIndexWithoutANameIsNotRead(String before) throws IOException {
    String plain = HEADER + row(1) + row(2);
    String indexed = before + HEADER + "0," + row(1) + "one," + row(2);

    assertThat(read(indexed).digest()).isEqualTo(read(plain).digest());
    assertThat(readAside(indexed).trace().digest()).isEqualTo(read(plain).digest());
    assertThat(kept).isEmpty();
    assertThatThrownBy(() -> read(indexed + "3," + row(3).strip() + ",9\n"))
        .hasMessageEndingWith(": found 5 cells, expected 4");
  }

  @Test
  void columnsWithoutNamesMayBeSeveralAndAnywhere() throws IOException {
    assertThat(
            read("TIMESTAMP,,ContextTokens,,GeneratedTokens,\n"
                    + "2023-11-16 18:15:02,a,5,\"b\",4,c\n")
                .inputTokens(0))
        .isEqualTo(5);
  }

  /** A first column may be called anything, where a mapping says what the others are. */
  @ParameterizedTest
  @ValueSource(strings = {"", "номер", "(a)", "$", "%", "'x'", "@id", "*"})
  void aHeaderMayBeginWithAnything(String first) throws IOException {
    Path file = Files.writeString(file(), first + ",ts,in,out\n1,0,20,3\n");

    Trace trace =
        TraceReaders.read(
            List.of(file),
            TraceOptions.defaults().withColumns(MAPPING).withFormat(TraceFormat.MAPPED));

    assertThat(trace.inputTokens(0)).isEqualTo(20);
  }

  @Test
  void commentsAreNotRead() {
    for (String rest : List.of(HEADER + row(1), "{\"timestamp\": 0}\n")) {
      assertThatThrownBy(() -> read("# made by a program\n" + rest))
          .hasMessage(
              file()
                  + ": found a comment, which begins with # (comments are not read), expected a"
                  + " table's header or a JSON object in the first line");
    }
  }

  @Test
  void aHeaderOfTooManyColumnsNamesTheLimit() {
    assertThatThrownBy(() -> read("a,".repeat(100_000) + HEADER + row(1)))
        .hasMessage(
            file() + ":1: found a header of 99,999 columns or more, expected fewer columns");
  }

  /** It is no record: without it there are none. */
  @Test
  void aHeaderThatCannotBeReadIsNotKeptAside() throws IOException {
    assertThatThrownBy(() -> readAside('"' + HEADER + rows(1, 9)))
        .hasMessage(
            file()
                + ": found an unreadable file (its header: a quote that is never closed), expected"
                + " a readable trace file");
    assertThat(kept).isEmpty();
  }

  private static String row(int second) {
    return String.format(Locale.ROOT, "2023-11-16 18:15:%02d,5,4\n", second);
  }

  private static String rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int second = from; second <= to; second++) {
      text.append(row(second));
    }
    return text.toString();
  }

  private Path file() {
    return folder.resolve("table.csv");
  }

  private Trace read(String text) throws IOException {
    return TraceReaders.read(Files.writeString(file(), text));
  }

  private TraceReading readAside(String text) throws IOException {
    Path file = Files.writeString(file(), text);
    TraceOptions options =
        TraceOptions.defaults()
            .withFormat(TraceFormat.AZURE)
            .withBadRecords((name, number, record, why) -> kept.add(number + " " + record));
    return TraceReaders.open(List.of(file), options);
  }
}
