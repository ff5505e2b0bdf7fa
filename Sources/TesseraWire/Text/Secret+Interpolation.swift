// SPDX-License-Identifier: MIT
// A compile-time warning for secrets in string interpolations, which insert "<redacted>" instead of the text.

extension DefaultStringInterpolation {
  /// Inserts `<redacted>`.
  @available(*, deprecated, message: "inserts <redacted>; reveal() returns the text")
  public mutating func appendInterpolation(_ secret: Secret) {
    appendLiteral(secret.description)
  }

  /// Inserts `<redacted>`, or `nil`.
  @available(*, deprecated, message: "inserts <redacted>; reveal() returns the text")
  public mutating func appendInterpolation(_ secret: Secret?) {
    appendLiteral(secret?.description ?? "nil")
  }
}
