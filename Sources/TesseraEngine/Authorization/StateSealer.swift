// SPDX-License-Identifier: MIT
// The state of a host-driven sign-in, encrypted with AES-256-GCM under a key of the store.

package import TesseraWire

/// Encrypts and decrypts pending sign-ins.
package struct StateSealer: Sendable {
  /// The component that the user signs in with.
  package enum Kind: String, Sendable, CaseIterable {
    /// A page of the provider.
    case page = "t1."
    /// Microsoft Authenticator.
    case authenticator = "a1."

    /// Determines the kind from the prefix of a state; `nil` for any other text.
    package init?(of state: Secret) {
      let mark = String(state.reveal().prefix(3))
      self.init(rawValue: mark)
    }
  }

  /// The maximum size of a state, in bytes.
  package static let limit = 131_072

  /// Names the key in each state, so that a state of a lost key is told from a state that was changed.
  package let keyID: String
  /// Nil if the stored key has another size.
  private let cipher: GCMCipher?
  private let clientID: String

  /// Creates a cipher for one application.
  ///
  /// A state of a different application fails to decrypt.
  package init(key: [UInt8], clientID: String) {
    cipher = key.withUnsafeBytes { GCMCipher($0) }
    self.clientID = clientID
    var hash = SHA256Hash()
    hash.update("tessera sign-in key\n")
    hash.update(key)
    keyID = Base64URL.encode(hash.finish().prefix(StateSealer.keyIDByteCount))
  }

  /// Encrypts a pending sign-in.
  ///
  /// - Parameter nonce: 12 random bytes.
  /// - Returns: The state, or `nil` if it would be longer than ``limit``.
  package func seal(_ pending: PendingAuthorization, nonce: [UInt8]) -> Secret? {
    seal(pending.json, as: .page, nonce: nonce)
  }

  /// Decrypts a state; returns `nil` unless it was encrypted with this key for this application.
  package func open(_ state: Secret) -> PendingAuthorization? {
    open(state, as: .page).flatMap { PendingAuthorization($0) }
  }

  /// Encrypts a JSON object as the state of a kind; returns `nil` if it would be longer than ``limit``.
  package func seal(_ json: JSONObject, as kind: Kind, nonce: [UInt8]) -> Secret? {
    let box = JSONValue.object(json).bytes.withUnsafeBytes { plaintext in
      associated(kind).withUnsafeBytes {
        cipher?.encrypt(plaintext, nonce: nonce, authenticating: $0)
      }
    }
    guard let box else { return nil }
    let text = "\(kind.rawValue)\(keyID).\(Base64URL.encode(box))"
    return text.utf8.count <= Self.limit ? Secret(text) : nil
  }

  /// Decrypts a state of a kind; returns `nil` for any other input.
  package func open(_ state: Secret, as kind: Kind) -> JSONObject? {
    SealedState(state, as: kind).flatMap { open($0) }
  }

  /// Returns the members of a state; `nil` if it was modified, or encrypted for another application or with another key.
  func open(_ state: SealedState) -> JSONObject? {
    let plaintext = state.box.withUnsafeBytes { box in
      associated(state.kind).withUnsafeBytes { cipher?.decrypt(box, authenticating: $0) }
    }
    return plaintext.flatMap { try? JSONValue(parsing: $0) }?.object
  }

  /// Returns the additional authenticated data, which prevents a state of one kind from decrypting as the other.
  private func associated(_ kind: Kind) -> [UInt8] {
    let name = kind == .page ? "tessera sign-in" : "tessera authenticator"
    return Array("\(name)\n\(clientID)".utf8)
  }
  /// The length of the hash that names a key.
  private static let keyIDByteCount = 6
}

/// A state that has the form of one, before it is opened.
struct SealedState {
  let kind: StateSealer.Kind
  /// The ID of the key that sealed it; nil for a state of an earlier version, which names none.
  let keyID: String?
  let box: [UInt8]

  /// Parses a state; nil for a text that is not a state of this kind.
  init?(_ state: Secret, as kind: StateSealer.Kind) {
    let text = state.reveal()
    guard text.utf8.count <= StateSealer.limit, text.hasPrefix(kind.rawValue) else { return nil }
    let parts = text.dropFirst(kind.rawValue.count)
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = parts.last, let box = Base64URL.decode(last), box.count >= GCMCipher.overhead
    else { return nil }
    self.kind = kind
    self.box = box
    keyID = parts.count > 1 ? String(parts[0]) : nil
  }
}
