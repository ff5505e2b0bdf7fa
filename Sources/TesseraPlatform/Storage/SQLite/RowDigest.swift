// SPDX-License-Identifier: MIT
// A sum over rows as they are stored: whether they are still the same is told without opening them.

import Crypto
import TesseraCache

/// A sum over rows.
///
/// Each sealing has a nonce and a tag of its own, which stand for a sealed body; one in clear is added up whole.
final class RowDigest {
  private var bytes: [UInt8] = []

  /// Adds a row.
  func add(_ place: RowPlace, keyID: Int64, _ body: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: (place.key, place.type, keyID, body.count)) {
      bytes.append(contentsOf: $0)
    }
    if keyID == 0 || body.count < RowSeal.overhead {
      bytes.append(contentsOf: body)
    } else {
      bytes.append(contentsOf: body.prefix(RowSeal.nonceSize))
      bytes.append(contentsOf: body.suffix(RowSeal.tagSize))
    }
  }

  /// The sum.
  var value: SnapshotMark.Digest {
    let words = SHA256.hash(data: bytes).withUnsafeBytes { hash in
      (hash.loadUnaligned(as: UInt64.self), hash.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    return SnapshotMark.Digest(words.0, words.1)
  }
}
