// SPDX-License-Identifier: MIT
// The state of a sign-in as a host keeps it: sealed (AES-256-GCM) with a key of the store, for one application.

import Crypto
package import TesseraWire

/// Seals sign-ins, and opens them again.
package struct SignInSeal: Sendable {
  /// What every sealed state begins with: the form of what follows.
  private static let mark = "t1."
  /// A state is never longer.
  package static let limit = 131_072

  private let key: SymmetricKey
  private let associated: [UInt8]

  /// The seal of an application; a state that another one began does not open.
  package init(key: [UInt8], clientID: String) {
    self.key = SymmetricKey(data: key)
    associated = Array("tessera sign-in\n\(clientID)".utf8)
  }

  /// The sealed state; nil if it would be longer than ``limit``.
  ///
  /// - Parameter nonce: twelve random bytes.
  package func seal(_ pending: PendingSignIn, nonce: [UInt8]) -> Secret? {
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(
        JSONValue.object(pending.json).bytes, using: key, nonce: nonce, authenticating: associated),
      let combined = box.combined
    else { return nil }
    let text = Self.mark + Base64URL.encode(combined)
    return text.utf8.count <= Self.limit ? Secret(text) : nil
  }

  /// The sign-in of a state; nil for what was not sealed with this key for this application.
  package func open(_ state: Secret) -> PendingSignIn? {
    let text = state.reveal()
    guard text.utf8.count <= Self.limit, text.hasPrefix(Self.mark),
      let bytes = Base64URL.decode(text.dropFirst(Self.mark.count)),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let opened = try? AES.GCM.open(box, using: key, authenticating: associated),
      let json = (try? JSONValue(parsing: [UInt8](opened)))?.object
    else { return nil }
    return PendingSignIn(json)
  }
}
