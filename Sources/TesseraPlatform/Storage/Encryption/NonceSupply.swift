// SPDX-License-Identifier: MIT
// Random nonces for the rows of one transaction, generated in batches.

import Crypto

/// A generator of unique random 12-byte nonces (NIST SP 800-38D section 8.2.2).
///
/// Use it for one transaction only. A child of fork() never continues a transaction, so it cannot repeat a nonce.
struct NonceSupply {
  /// The number of nonces per batch, enough to store one token response.
  private static let count = 8

  private var bytes: [UInt8] = []

  /// Returns the next nonce.
  mutating func next() -> AES.GCM.Nonce {
    if bytes.count < RowCipher.nonceSize {
      bytes = SystemRandomness().bytes(RowCipher.nonceSize * NonceSupply.count)
    }
    let nonce = try? AES.GCM.Nonce(data: bytes.suffix(RowCipher.nonceSize))
    bytes.removeLast(RowCipher.nonceSize)
    return nonce ?? AES.GCM.Nonce()
  }
}
