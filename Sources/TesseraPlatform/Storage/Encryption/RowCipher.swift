// SPDX-License-Identifier: MIT
// Encryption of one row with AES-256-GCM. The body is bound to the row's key and type, so that bodies cannot be swapped.

import Crypto
import TesseraEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The attributes of a row that are authenticated with its body.
struct RowIdentity {
  /// The row's key.
  let key: Int64
  /// The type number of its record.
  let type: Int64
}

/// A cipher for rows, with a key derived from the store's data key.
///
/// An encrypted body consists of a random 12-byte nonce, the ciphertext and a 16-byte tag (NIST SP 800-38D). The
/// cryptography library overwrites the key when it is deallocated.
struct RowCipher: Sendable {
  /// The key ID that rows refer to.
  let id: Int64
  private let key: SymmetricKey

  static let nonceSize = 12
  static let tagSize = 16
  /// The size of an encrypted body in addition to the plaintext.
  static let overhead = nonceSize + tagSize

  init(id: Int64, key: SymmetricKey) {
    self.id = id
    self.key = key
  }

  /// Encrypts a body, and overwrites the plaintext unless other references to it exist.
  ///
  /// - Parameter nonces: Provides a nonce that is never used for another body.
  /// - Returns: The encrypted body, or nil if the cipher fails, which is not expected.
  func encrypt(
    _ body: inout [UInt8], at identity: RowIdentity, _ nonces: inout NonceSupply
  ) -> [UInt8]? {
    defer { body.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    let nonce = nonces.next()
    return withContext(of: identity) { context in
      let box = try? AES.GCM.seal(body, using: key, nonce: nonce, authenticating: context)
      // Nonce, ciphertext and tag, concatenated.
      return box?.combined.map { [UInt8]($0) }
    }
  }

  /// Decrypts a body; nil if it was not encrypted for this row with this key.
  ///
  /// The caller must overwrite the result.
  func decrypt(_ sealed: UnsafeRawBufferPointer, at identity: RowIdentity) -> [UInt8]? {
    guard sealed.count >= RowCipher.overhead, let box = try? AES.GCM.SealedBox(combined: sealed)
    else { return nil }
    let data = withContext(of: identity) { context in
      try? AES.GCM.open(box, using: key, authenticating: context)
    }
    guard var plaintext = data else { return nil }
    defer { plaintext.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    return [UInt8](plaintext)
  }

  /// Passes the additional authenticated data to `body`: a label, the row's key, its type and the key ID.
  private func withContext<Value>(
    of identity: RowIdentity, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let numbers = (identity.key.bigEndian, identity.type.bigEndian, id.bigEndian)
    return withUnsafeTemporaryAllocation(
      byteCount: RowCipher.label.utf8CodeUnitCount + MemoryLayout.size(ofValue: numbers),
      alignment: 8
    ) { context in
      let label = UnsafeRawBufferPointer(
        start: RowCipher.label.utf8Start, count: RowCipher.label.utf8CodeUnitCount)
      context.copyMemory(from: label)
      withUnsafeBytes(of: numbers) {
        UnsafeMutableRawBufferPointer(rebasing: context[label.count...]).copyMemory(from: $0)
      }
      return body(UnsafeRawBufferPointer(context))
    }
  }

  private static let label: StaticString = "tessera record 2"
}
