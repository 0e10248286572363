package io.orrery.traces;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a trace file are: a file of its own, or an entry of a zip archive.
 *
 * @param path the file or the archive
 * @param entry the entry's name, null for a file of its own
 */
record StoredFile(Path path, @Nullable String entry) {
  /** As the caller gave it; an entry stands behind an exclamation mark. */
  String name() {
    return entry == null ? path.toString() : path + "!" + entry;
  }

  /** Without folders. */
  String shortName() {
    Path last = path.getFileName();
    String file = last == null ? path.toString() : last.toString();
    return entry == null ? file : file + "!" + entry;
  }

  /** Bytes: as stored, those of an entry as it was before it was packed. */
  long size() throws IOException {
    if (entry == null) {
      return Files.size(path);
    }
    try (ZipFile archive = new ZipFile(path.toFile())) {
      return entryOf(archive, entry).getSize();
    }
  }

  /** Bytes that must be read to get at all of it. */
  long packedSize() throws IOException {
    if (entry == null) {
      return Files.size(path);
    }
    try (ZipFile archive = new ZipFile(path.toFile())) {
      return entryOf(archive, entry).getCompressedSize();
    }
  }

  InputStream open() throws IOException {
    if (entry == null) {
      return Files.newInputStream(path);
    }
    ZipFile archive = new ZipFile(path.toFile());
    try {
      InputStream in = archive.getInputStream(entryOf(archive, entry));
      return new FilterInputStream(in) {
        @Override
        public void close() throws IOException {
          super.close();
          archive.close();
        }
      };
    } catch (IOException e) {
      archive.close();
      throw e;
    }
  }

  /** Whether a file begins as a zip archive does. */
  static boolean isArchive(Path path) throws IOException {
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] first = in.readNBytes(4);
      return first.length == 4
          && first[0] == 'P'
          && first[1] == 'K'
          && ((first[2] == 3 && first[3] == 4) || (first[2] == 5 && first[3] == 6));
    }
  }

  /** The files in an archive, by name. */
  static List<String> entries(Path archivePath) throws IOException {
    try (ZipFile archive = new ZipFile(archivePath.toFile())) {
      List<String> names = new ArrayList<>();
      archive.stream()
          .filter(file -> !file.isDirectory())
          .forEach(file -> names.add(file.getName()));
      names.sort(null);
      return names;
    }
  }

  private static ZipEntry entryOf(ZipFile archive, String name) throws IOException {
    ZipEntry found = archive.getEntry(name);
    if (found == null) {
      throw new IOException("no entry " + name);
    }
    return found;
  }
}
