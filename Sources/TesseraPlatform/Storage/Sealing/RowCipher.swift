// SPDX-License-Identifier: MIT
// Sealing one row: AES-256-GCM, bound to the row's place, so that no row can be put in place of another.

import Crypto
import TesseraEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a row lies; it is authenticated with its body.
struct RowPlace {
  /// The row's key.
  let key: Int64
  /// The kind of its record.
  let type: Int64
}

/// The key that seals rows, derived from the store's data key.
///
/// A sealed body is a random nonce of 12 bytes, the encrypted bytes, and a tag of 16 bytes (NIST SP 800-38D). The library
/// of the cipher overwrites the key when nobody uses it any more.
struct RowCipher: Sendable {
  /// The number of the key, as rows name it.
  let id: Int64
  private let key: SymmetricKey

  static let nonceSize = 12
  static let tagSize = 16
  /// What a sealed body has beside what was sealed.
  static let overhead = nonceSize + tagSize

  init(id: Int64, key: SymmetricKey) {
    self.id = id
    self.key = key
  }

  /// Seals a body; what was given is overwritten, as far as nobody else refers to it.
  ///
  /// - Parameter nonces: gives the nonce, which no other body ever gets.
  /// - Returns: nil if the cipher fails, which it has no reason to.
  func close(
    _ body: inout [UInt8], at place: RowPlace, _ nonces: inout NonceSupply
  ) -> [UInt8]? {
    defer { body.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    let nonce = nonces.next()
    return withContext(of: place) { context in
      let box = try? AES.GCM.seal(body, using: key, nonce: nonce, authenticating: context)
      // Nonce, encrypted bytes and tag, one after the other.
      return box?.combined.map { [UInt8]($0) }
    }
  }

  /// Opens a body; nil if it is not what was sealed for this place with this key.
  ///
  /// The caller overwrites the result.
  func open(_ sealed: UnsafeRawBufferPointer, at place: RowPlace) -> [UInt8]? {
    guard sealed.count >= RowCipher.overhead, let box = try? AES.GCM.SealedBox(combined: sealed)
    else { return nil }
    let data = withContext(of: place) { context in
      try? AES.GCM.open(box, using: key, authenticating: context)
    }
    guard var opened = data else { return nil }
    defer { opened.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    return [UInt8](opened)
  }

  /// Hands over what is authenticated beside the body: a label, the row's key, its type, the number of the key.
  private func withContext<Value>(
    of place: RowPlace, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let numbers = (place.key.bigEndian, place.type.bigEndian, id.bigEndian)
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
