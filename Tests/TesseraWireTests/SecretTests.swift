// SPDX-License-Identifier: MIT
// Tests of the redaction of secrets in all string conversions.

import TesseraWire
import Testing

@Suite struct SecretTests {
  @Test func `a secret is redacted in every string conversion`() {
    let secret = Secret("canary")
    var dumped = ""
    dump([secret], to: &dumped)
    var interpolation = DefaultStringInterpolation(literalCapacity: 0, interpolationCount: 1)
    redacting.insert(secret, &interpolation)
    let texts = [
      String(describing: interpolation), "\([secret])", String(reflecting: secret), dumped,
      "\((1, secret))",
    ]
    for text in texts {
      #expect(!text.contains("canary"))
    }
    #expect(secret.reveal() == "canary")
  }

  /// An interpolation without the compiler's deprecation warning.
  private var redacting: any Interpolating { Interpolation() }
}

private protocol Interpolating {
  func insert(_ secret: Secret, _ text: inout DefaultStringInterpolation)
}

private struct Interpolation: Interpolating {
  @available(*, deprecated)
  func insert(_ secret: Secret, _ text: inout DefaultStringInterpolation) {
    text.appendInterpolation(secret)
  }
}
