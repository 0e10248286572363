package io.orrery.models;

/**
 * Coefficients of a {@link PolynomialStepTime}, in milliseconds.
 *
 * @param name the preset's name, with its date
 * @param prefillQuadratic ms per squared new prefill token
 * @param prefillLinear ms per new prefill token
 * @param prefillConstant ms of a step that prefills
 * @param decodeQuadratic ms per squared occupancy of the KV pool
 * @param decodeLinear ms per occupancy of the KV pool
 * @param decodeConstant ms of a step that decodes
 * @param decodeMinimum least ms of a step that decodes
 * @param source where they come from
 */
public record PolynomialCoefficients(
    String name,
    double prefillQuadratic,
    double prefillLinear,
    double prefillConstant,
    double decodeQuadratic,
    double decodeLinear,
    double decodeConstant,
    double decodeMinimum,
    String source) {

  static PolynomialCoefficients from(FactSheet sheet) {
    PolynomialCoefficients coefficients =
        new PolynomialCoefficients(
            sheet.name(),
            sheet.signedNumber("prefillQuadratic"),
            sheet.signedNumber("prefillLinear"),
            sheet.signedNumber("prefillConstant"),
            sheet.signedNumber("decodeQuadratic"),
            sheet.signedNumber("decodeLinear"),
            sheet.signedNumber("decodeConstant"),
            sheet.number("decodeMinimum"),
            sheet.source("prefillQuadratic"));
    sheet.finish();
    return coefficients;
  }
}
