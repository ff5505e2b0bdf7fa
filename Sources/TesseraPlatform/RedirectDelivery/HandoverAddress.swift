// SPDX-License-Identifier: MIT
// An address that a program was opened with, as far as it must be known before it is handed over.

package import TesseraWire

/// An address with the `state` of a sign-in.
package struct HandoverAddress: Sendable {
  /// The address.
  let text: String
  /// The one `state` in it.
  package let state: Secret

  /// Longer than any answer that a sign-in takes.
  static let limit = 61_440

  /// Takes an address; nil for one without a `state`, with several, or without end.
  package init?(_ text: String) {
    guard text.utf8.count <= HandoverAddress.limit,
      let fields = try? AuthorizationResponse.fields(of: .address(Secret(text)))
    else { return nil }
    let states = fields.fields.filter { $0.name == "state" }
    guard states.count == 1, let state = states.first?.value, !state.isEmpty else { return nil }
    self.text = text
    self.state = Secret(state)
  }
}
