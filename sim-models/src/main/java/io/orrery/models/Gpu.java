package io.orrery.models;

import java.util.List;
import java.util.Map;

/**
 * One kind of GPU. Rates are datasheet peaks: dense (no sparsity), per GPU, decimal units; links
 * one way.
 *
 * @param name the name in scenarios, such as {@code b200}
 * @param title the full product name
 * @param memoryBytes memory that the driver reports
 * @param hbmBytesPerSecond memory bandwidth
 * @param bf16FlopsPerSecond 16-bit matrix peak
 * @param fp8FlopsPerSecond 8-bit matrix peak, 0 if the GPU has no 8-bit matrix units
 * @param fp4FlopsPerSecond 4-bit matrix peak, 0 if the GPU has no 4-bit matrix units
 * @param nvlinkBytesPerSecond link to the other GPUs of the NVLink domain
 * @param nvlinkDomainGpus GPUs in one NVLink domain
 * @param pcieBytesPerSecond link to the host
 * @param nicBytesPerSecond network link
 * @param lowConfidenceNotes what is assumed rather than known, to be shown to the user
 * @param sources who says so, per field
 */
public record Gpu(
    String name,
    String title,
    long memoryBytes,
    double hbmBytesPerSecond,
    double bf16FlopsPerSecond,
    double fp8FlopsPerSecond,
    double fp4FlopsPerSecond,
    double nvlinkBytesPerSecond,
    int nvlinkDomainGpus,
    double pcieBytesPerSecond,
    double nicBytesPerSecond,
    List<String> lowConfidenceNotes,
    Map<String, String> sources) {

  static Gpu from(FactSheet sheet) {
    Gpu gpu =
        new Gpu(
            sheet.name(),
            sheet.text("title"),
            sheet.whole("memoryBytes"),
            sheet.number("hbmBytesPerSecond"),
            sheet.number("bf16FlopsPerSecond"),
            sheet.numberOrNone("fp8FlopsPerSecond"),
            sheet.numberOrNone("fp4FlopsPerSecond"),
            sheet.number("nvlinkBytesPerSecond"),
            sheet.count("nvlinkDomainGpus"),
            sheet.number("pcieBytesPerSecond"),
            sheet.number("nicBytesPerSecond"),
            sheet.lowConfidenceNotes(),
            sheet.sources());
    sheet.finish();
    return gpu;
  }

  /** Whether the matrix units multiply 8-bit numbers. */
  public boolean hasFp8() {
    return fp8FlopsPerSecond > 0;
  }

  /** Whether the matrix units multiply 4-bit numbers. */
  public boolean hasFp4() {
    return fp4FlopsPerSecond > 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
