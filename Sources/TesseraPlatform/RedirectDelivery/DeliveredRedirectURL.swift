// SPDX-License-Identifier: MIT
// A redirect URL that the desktop passed to a program, with the `state` that identifies its sign-in.

package import TesseraWire

/// A URL with the `state` of a sign-in.
package struct DeliveredRedirectURL: Sendable {
  /// The URL.
  let text: String
  /// The value of its only `state` parameter.
  package let state: Secret

  /// The maximum size of a URL in bytes, which is above that of any authorization response.
  static let limit = 61_440

  /// Parses a URL; nil without a `state`, with several, or above the size limit.
  package init?(_ text: String) {
    guard text.utf8.count <= DeliveredRedirectURL.limit,
      let fields = try? AuthorizationResponse.fields(of: .address(Secret(text)))
    else { return nil }
    let states = fields.fields.filter { $0.name == "state" }
    guard states.count == 1, let state = states.first?.value, !state.isEmpty else { return nil }
    self.text = text
    self.state = Secret(state)
  }
}
