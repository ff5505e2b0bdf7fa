// SPDX-License-Identifier: MIT
// Random nonces for the rows of one transaction: the system is asked once for several of them.

import Crypto

/// Random nonces of 12 bytes (NIST SP 800-38D section 8.2.2), none of which is given twice.
///
/// It lasts no longer than a transaction, which a child of fork() never goes on with.
struct NonceSupply {
  /// As many as storing one answer of a server takes.
  private static let count = 8

  private var bytes: [UInt8] = []

  /// The next one.
  mutating func next() -> AES.GCM.Nonce {
    if bytes.count < RowCipher.nonceSize {
      bytes = SystemRandomness().bytes(RowCipher.nonceSize * NonceSupply.count)
    }
    let nonce = try? AES.GCM.Nonce(data: bytes.suffix(RowCipher.nonceSize))
    bytes.removeLast(RowCipher.nonceSize)
    return nonce ?? AES.GCM.Nonce()
  }
}
