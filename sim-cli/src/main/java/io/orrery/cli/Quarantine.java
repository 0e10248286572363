package io.orrery.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.BadRecords;
import io.orrery.traces.TraceException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Records that cannot be read, each with its place and what is wrong with it. */
final class Quarantine implements BadRecords {
  private record Record(String file, long line, String text, String why) {}

  private final List<Record> records = new ArrayList<>();

  @Override
  public void take(String file, long line, String text, TraceException why) {
    records.add(new Record(file, line, text, String.valueOf(why.getMessage())));
  }

  /** Writes them, an object a line, and says how many there are. */
  void write(Path target, Console console) {
    OutputFolder.writeFile(
        target,
        file -> {
          try (JsonGenerator json =
              new JsonFactory()
                  .setRootValueSeparator("")
                  .createGenerator(file.toFile(), com.fasterxml.jackson.core.JsonEncoding.UTF8)) {
            for (Record record : records) {
              json.writeStartObject();
              json.writeStringField("file", record.file());
              json.writeNumberField("line", record.line());
              json.writeStringField("why", record.why());
              json.writeStringField("text", record.text());
              json.writeEndObject();
              json.writeRaw('\n');
            }
          }
        });
    console
        .err()
        .println(
            "orrery: "
                + HumanUnits.count(records.size())
                + (records.size() == 1 ? " record" : " records")
                + " kept aside in "
                + target);
  }
}
