// SPDX-License-Identifier: MIT
// The key that the program keeps itself.

import Crypto
import TesseraEngine
import TesseraWire

/// The key that the program hands over; nothing of it is kept.
struct CallerKey: KeyHolder {
  let source = KeySource.caller
  private let given: StoreKey?

  /// The key that a configuration gives, if it gives one.
  init(_ given: StoreKey?) {
    self.given = given
  }

  /// The key, and the name that the store will know it by.
  func material() throws(KeyFailure) -> (name: String, key: KeyMaterial) {
    guard let given else { throw .refused(.keyMissing, "no store_key was given") }
    guard let key = given.material() else {
      throw .refused(.keyMissing, "the program's function gave no key")
    }
    return (CallerKey.name(of: key), key)
  }

  func look(within limits: KeyLimits) throws(KeyFailure) {
    _ = try material()
  }

  func keep(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure) {}

  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    let (found, key) = try material()
    guard found == name else {
      throw .refused(
        .otherKey, "the store was sealed with the key \(name), the given one is \(found)")
    }
    return key
  }

  /// A name that tells keys apart, and from which nobody can tell the key.
  static func name(of key: KeyMaterial) -> String {
    var hash = SHA256()
    hash.update(data: Array("tessera store key\n".utf8))
    key.withBytes { hash.update(bufferPointer: $0) }
    return Hexadecimal.text(hash.finalize().prefix(16))
  }
}
