// SPDX-License-Identifier: MIT
// The key that the application supplies itself.

import Crypto
import TesseraEngine
import TesseraWire

/// The key that the application supplies (`store.key`).
///
/// It is never stored.
struct CallerKey: KeyStorage {
  let source = KeySource.caller
  private let given: StoreKey?

  /// Creates a source for the key of a configuration; nil for none.
  init(_ given: StoreKey?) {
    self.given = given
  }

  /// Returns the key and its name in the store.
  ///
  /// - Throws: `keyMissing` if the application supplied no key.
  func material() throws(KeyFailure) -> (name: String, key: KeyMaterial) {
    guard let given else { throw .refused(.keyMissing, "store.key is missing") }
    guard let key = given.material() else {
      throw .refused(.keyMissing, "the callback of the application returned no key")
    }
    return (CallerKey.name(of: key), key)
  }

  func checkAvailability(within limits: KeyLimits) throws(KeyFailure) {
    _ = try material()
  }

  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)
  {}

  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    let (found, key) = try material()
    guard found == name else {
      throw .refused(
        .otherKey, "the store is encrypted with the key \(name), but store.key is \(found)")
    }
    return key
  }

  /// Returns a name that identifies the key without disclosing it: a truncated hash.
  static func name(of key: KeyMaterial) -> String {
    var hash = SHA256()
    hash.update(data: Array("tessera store key\n".utf8))
    key.withBytes { hash.update(bufferPointer: $0) }
    return Hexadecimal.text(hash.finalize().prefix(16))
  }
}
