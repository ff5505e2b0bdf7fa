// SPDX-License-Identifier: MIT
// Re-encryption of all rows of a store, when it gets its first key or a new one.

import TesseraEngine

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
