// SPDX-License-Identifier: MIT
// The state of a sign-in as a host keeps it: sealed (AES-256-GCM) with a key of the store, for one application.

import Crypto
package import TesseraWire

/// Seals sign-ins, and opens them again.
package struct SignInSeal: Sendable {
  /// Who shows the person something, and answers.
  package enum Kind: String, Sendable, CaseIterable {
    /// A page of the provider.
    case page = "t1."
    /// Microsoft Authenticator.
    case authenticator = "a1."

    /// The kind of a state, which may be none; it begins with it.
    package init?(of state: Secret) {
      let mark = String(state.reveal().prefix(3))
      self.init(rawValue: mark)
    }
  }

  /// A state is never longer.
  package static let limit = 131_072

  private let key: SymmetricKey
  private let clientID: String

  /// The seal of an application; a state that another one began does not open.
  package init(key: [UInt8], clientID: String) {
    self.key = SymmetricKey(data: key)
    self.clientID = clientID
  }

  /// The sealed state; nil if it would be longer than ``limit``.
  ///
  /// - Parameter nonce: twelve random bytes.
  package func seal(_ pending: PendingSignIn, nonce: [UInt8]) -> Secret? {
    seal(pending.json, as: .page, nonce: nonce)
  }

  /// The sign-in of a state; nil for what was not sealed with this key for this application.
  package func open(_ state: Secret) -> PendingSignIn? {
    open(state, as: .page).flatMap { PendingSignIn($0) }
  }

  /// What a sign-in takes, sealed; nil if it would be longer than ``limit``.
  package func seal(_ json: JSONObject, as kind: Kind, nonce: [UInt8]) -> Secret? {
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(
        JSONValue.object(json).bytes, using: key, nonce: nonce, authenticating: associated(kind)),
      let combined = box.combined
    else { return nil }
    let text = kind.rawValue + Base64URL.encode(combined)
    return text.utf8.count <= Self.limit ? Secret(text) : nil
  }

  /// What was sealed as a kind; nil for anything else.
  package func open(_ state: Secret, as kind: Kind) -> JSONObject? {
    let text = state.reveal()
    guard text.utf8.count <= Self.limit, text.hasPrefix(kind.rawValue),
      let bytes = Base64URL.decode(text.dropFirst(kind.rawValue.count)),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let opened = try? AES.GCM.open(box, using: key, authenticating: associated(kind))
    else { return nil }
    return (try? JSONValue(parsing: [UInt8](opened)))?.object
  }

  /// One kind does not open as another.
  private func associated(_ kind: Kind) -> [UInt8] {
    let name = kind == .page ? "tessera sign-in" : "tessera authenticator"
    return Array("\(name)\n\(clientID)".utf8)
  }
}
