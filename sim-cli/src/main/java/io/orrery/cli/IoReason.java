package io.orrery.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file could not be read or written, in words for people. */
final class IoReason {
  private IoReason() {}

  /** The reason behind any failure of reading or writing; its own words where it has some. */
  static String of(Exception failure) {
    if (failure instanceof IOException io) {
      return of(io);
    }
    boolean ownWords =
        failure instanceof UncheckedIOException
            && !String.valueOf(failure.getCause()).equals(failure.getMessage());
    return !ownWords && failure.getCause() instanceof IOException io
        ? of(io)
        : String.valueOf(failure.getMessage());
  }

  /** The reason, without the name of the file. */
  static String of(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof NotDirectoryException) {
      return "not a folder";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "it exists already";
    }
    String text =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return text == null ? "input or output failed" : text;
  }
}
