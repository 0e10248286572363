package io.orrery.cli;

import io.orrery.cli.Orrery.Outcome;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import java.io.IOException;
import java.nio.file.Path;

/** A folder with {@code small.jsonl}: 40 requests in 10 sessions, in blocks of 64 tokens. */
final class TraceFolder {
  private final Path folder;

  TraceFolder(Path folder) throws IOException {
    this.folder = folder;
    SmallTrace.write(folder.resolve("small.jsonl"));
  }

  /** A file of the folder, as a command takes it. */
  String in(String name) {
    return folder.resolve(name).toString();
  }

  /** Runs a command line, in which words with an {@code @} before them are files of the folder. */
  Outcome run(String line) {
    String[] words = line.split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].startsWith("@") ? in(words[i].substring(1)) : words[i];
    }
    return Orrery.run(words);
  }

  /** A trace that a command wrote. */
  Trace trace(String name) {
    return TraceReaders.read(folder.resolve(name));
  }
}
