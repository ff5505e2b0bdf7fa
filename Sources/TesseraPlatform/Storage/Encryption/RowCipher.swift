// SPDX-License-Identifier: MIT
// The encryption of rows.

import TesseraEngine
import TesseraWire

/// The attributes of a row that are authenticated with its body.
struct RowIdentity {
  /// The row's key.
  let key: Int64
  /// The type number of its record.
  let type: Int64
}

/// A cipher for rows, with a key derived from the store's data key.
///
/// An encrypted body consists of a random 12-byte nonce, the ciphertext and a 16-byte tag (NIST SP 800-38D).
struct RowCipher: Sendable {
  /// The key ID that rows refer to.
  let id: Int64
  private let cipher: GCMCipher

  /// Creates a cipher; nil if the key does not have ``Cipher/keySize`` bytes.
  init?(id: Int64, key: UnsafeRawBufferPointer) {
    guard let cipher = GCMCipher(key) else { return nil }
    self.id = id
    self.cipher = cipher
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
      body.withUnsafeBytes { cipher.encrypt($0, nonce: nonce, authenticating: context) }
    }
  }

  /// Decrypts a body; nil if it was not encrypted for this row with this key.
  ///
  /// The caller must overwrite the result.
  func decrypt(_ sealed: UnsafeRawBufferPointer, at identity: RowIdentity) -> [UInt8]? {
    withContext(of: identity) { cipher.decrypt(sealed, authenticating: $0) }
  }

  /// Decrypts a body, passes it to `body`, and overwrites it; nil if it was not encrypted for this row with this key.
  func withDecrypted<Value>(
    _ sealed: UnsafeRawBufferPointer, at identity: RowIdentity,
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    guard var plaintext = decrypt(sealed, at: identity) else { return nil }
    return plaintext.withUnsafeMutableBytes { bytes in
      defer { KeyMaterial.overwrite(bytes) }
      return body(UnsafeRawBufferPointer(bytes))
    }
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

/// A generator of unique random 12-byte nonces (NIST SP 800-38D section 8.2.2).
///
/// Use it for one transaction only. A child of fork() never continues a transaction, so it cannot repeat a nonce.
struct NonceSupply {
  /// The number of nonces per batch, enough to store one token response.
  private static let count = 8

  private var bytes: [UInt8] = []

  /// Returns the next nonce.
  mutating func next() -> [UInt8] {
    if bytes.count < GCMCipher.nonceSize {
      bytes = SystemRandomness().bytes(GCMCipher.nonceSize * NonceSupply.count)
    }
    defer { bytes.removeLast(GCMCipher.nonceSize) }
    return Array(bytes.suffix(GCMCipher.nonceSize))
  }
}

/// The re-encryption of every row with another key, inside the caller's transaction.
struct Reencryption {
  private struct Row {
    let key: Int64
    let type: Int64
    let keyID: Int64
    let body: [UInt8]
  }

  /// The maximum number of rows in memory at a time.
  private static let batch: Int64 = 256

  private let connection: SQLiteConnection
  private let keys: StoreKeys
  private let limits: CallLimits

  init(_ connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits) {
    self.connection = connection
    self.keys = keys
    self.limits = limits
  }

  /// Re-encrypts all rows.
  ///
  /// Rows that cannot be decrypted stay damaged. They get the new key ID, so that the old key can be deleted.
  ///
  /// Unencrypted rows are encrypted only when the store gets its first key. In an encrypted store they count as
  /// damaged.
  func reencryptAll(with cipher: RowCipher) throws(SQLiteFailure) {
    var last = Int64.min
    var nonces = NonceSupply()
    var rows = try batch(from: last, cipher.id)
    while !rows.isEmpty {
      for row in rows { try reencrypt(row, with: cipher, &nonces) }
      last = rows.last?.key ?? .max
      guard last < .max else { return }
      rows = try batch(from: last + 1, cipher.id)
    }
  }

  private func batch(from key: Int64, _ id: Int64) throws(SQLiteFailure) -> [Row] {
    var rows: [Row] = []
    try connection.query(
      """
      SELECT key, type, key_id, body FROM record WHERE key >= ? AND key_id <> ?
      ORDER BY key LIMIT ?
      """, [.integer(key), .integer(id), .integer(Reencryption.batch)]
    ) { row in
      rows.append(
        Row(
          key: row.integer(0), type: row.integer(1), keyID: row.integer(2), body: row.bytes(3)))
      return true
    }
    return rows
  }

  private func reencrypt(
    _ row: Row, with cipher: RowCipher, _ nonces: inout NonceSupply
  ) throws(SQLiteFailure) {
    let identity = RowIdentity(key: row.key, type: row.type)
    guard row.keyID != 0 || cipher.id == 1 else { return }
    var body = row.body
    if var plaintext = try decrypted(row, at: identity) {
      guard let encrypted = cipher.encrypt(&plaintext, at: identity, &nonces) else { return }
      body = encrypted
    }
    try connection.query(
      "UPDATE record SET key_id = ?, body = ? WHERE key = ?",
      [.integer(cipher.id), .blob(body), .integer(row.key)])
  }

  /// Returns the decrypted body of a row; nil if no key decrypts it.
  private func decrypted(_ row: Row, at identity: RowIdentity) throws(SQLiteFailure) -> [UInt8]? {
    guard row.keyID != 0 else { return row.body }
    guard let stored = try connection.keyRow(row.keyID) else { return nil }
    let cipher = try keys.obtain(stored, within: limits)
    return row.body.withUnsafeBytes { cipher.decrypt($0, at: identity) }
  }
}
