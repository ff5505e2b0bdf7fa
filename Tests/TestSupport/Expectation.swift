// SPDX-License-Identifier: MIT
// Expectation of an error code.

package import TesseraEngine
package import Testing

/// Expects a call to throw an error with a code.
package func expect(
  _ code: TesseraError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: TesseraError.self, sourceLocation: sourceLocation) {
    try body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}
