package io.orrery.models;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

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
 * @param cost what it draws and costs
 * @param provenance who says so, per field
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
    Cost cost,
    Provenance provenance) {

  /**
   * What a GPU draws and costs; empty where no source was found.
   *
   * @param tdpWatts power of the GPU alone
   * @param allInWatts its share of the data centre's power, everything included
   * @param rentalDollarsPerHour price of one GPU hour, rented for three years
   * @param neocloudDollarsPerHour what an hour costs a specialised provider to offer
   * @param hyperscalerDollarsPerHour what an hour costs a large provider to offer
   */
  public record Cost(
      OptionalDouble tdpWatts,
      OptionalDouble allInWatts,
      OptionalDouble rentalDollarsPerHour,
      OptionalDouble neocloudDollarsPerHour,
      OptionalDouble hyperscalerDollarsPerHour) {

    static Cost from(FactSheet sheet) {
      return new Cost(
          sheet.numberIfKnown("tdpWatts"),
          sheet.numberIfKnown("allInWatts"),
          sheet.numberIfKnown("rentalDollarsPerHour"),
          sheet.numberIfKnown("neocloudDollarsPerHour"),
          sheet.numberIfKnown("hyperscalerDollarsPerHour"));
    }
  }

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
            Cost.from(sheet),
            sheet.provenance());
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

  /** What is assumed rather than known, to be shown to the user. */
  public List<String> lowConfidenceNotes() {
    return provenance.lowConfidenceNotes();
  }

  /** Who says so, per field. */
  public Map<String, String> sources() {
    return provenance.sources();
  }

  @Override
  public String toString() {
    return name;
  }
}
