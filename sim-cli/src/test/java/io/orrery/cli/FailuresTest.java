package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceWriters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk says that is full: the caller can see to it, so it is no error of the program. */
class FailuresTest {
  private static final IOException FULL = new IOException("No space left on device");

  @TempDir Path folder;

  private final StringWriter err = new StringWriter();

  private int report(Throwable failure) {
    PrintWriter out = new PrintWriter(err, true);
    return new Failures(new Console(out, out, new Terminal(false, false, false, false)))
        .report(failure);
  }

  private static Throwable thrownBy(Runnable writing) {
    try {
      writing.run();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("nothing was thrown");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamedWithTheReason() {
    Path file = folder.resolve("x.json");

    Throwable failure =
        thrownBy(
            () ->
                OutputFolder.writeFile(
                    file,
                    work -> {
                      throw FULL;
                    }));

    assertThat(report(failure)).isEqualTo(2);
    assertThat(err)
        .hasToString("orrery: " + file + ": cannot be written (No space left on device)\n");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theReasonIsThatOfTheSystemWhateverWrites() {
    Path file = folder.resolve("x.parquet");
    Trace trace = Trace.builder(4).session("a").request("a1").input(9).output(1).arrival(0).build();

    assertThat(
            thrownBy(
                () ->
                    OutputFolder.writeFile(
                        file,
                        work -> {
                          throw new UncheckedIOException(FULL);
                        })))
        .hasMessage(file + ": cannot be written (No space left on device)");
    assertThat(
            thrownBy(
                () ->
                    OutputFolder.writeFile(
                        file,
                        work ->
                            TraceWriters.of(TraceFormat.ORRERY)
                                .orElseThrow()
                                .write(trace, folder.resolve("gone/x.parquet")))))
        .hasMessage(file + ": cannot be written (no such file or folder)");
  }

  @Test
  void whatSaysMoreIsKept() {
    assertThat(report(new UncheckedIOException("the journal: cannot be written (full)", FULL)))
        .isEqualTo(2);
    assertThat(report(new FileSystemException("/a/b", null, "No space left on device")))
        .isEqualTo(2);
    assertThat(err)
        .hasToString(
            "orrery: the journal: cannot be written (full)\n"
                + "orrery: /a/b: No space left on device\n");
  }

  @Test
  void anythingElseIsTheProgramsOwn() {
    assertThat(report(new IllegalStateException("no"))).isEqualTo(70);
  }
}
