// SPDX-License-Identifier: MIT
// The body of a row: JSON, encrypted with the store's key or unencrypted.

import TesseraCache
import TesseraEngine
import TesseraWire

/// An encoder and decoder of row bodies, for one transaction.
final class SQLiteRowCodec {
  /// The limits for parsing.
  ///
  /// Server responses are smaller, even after escaping.
  private static let limits = JSONValue.Limits(bytes: 16 << 20, depth: 128)

  private let connection: SQLiteConnection
  private let keys: StoreKeys
  private let callLimits: CallLimits
  /// The key that encrypts new rows; nil if they are stored unencrypted.
  private let current: RowCipher?
  private var ciphers: [Int64: RowCipher] = [:]
  private var isUnencrypted: Bool?
  private var nonces = NonceSupply()

  /// Creates a codec for reading.
  init(reading connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = nil
  }

  /// Creates a codec for reading and writing, inside a write transaction.
  init(
    writing connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits
  ) throws(SQLiteFailure) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = try keys.current(connection, within: limits)
  }

  /// The ID of the key that encrypts new rows; 0 if they are stored unencrypted.
  var keyID: Int64 { current?.id ?? 0 }

  /// Returns the members of the record in a column; nil for a damaged body.
  ///
  /// - Throws: An error if the key is unavailable, because damage cannot be detected without it.
  func members(
    of row: SQLiteRow, _ column: Int32, at identity: RowIdentity, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    try row.withBytes(column) { body throws(SQLiteFailure) in
      try members(body, at: identity, keyID: keyID)
    }
  }

  private func members(
    _ body: UnsafeRawBufferPointer, at identity: RowIdentity, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    guard keyID != 0 else {
      // In an encrypted store, an unencrypted row is treated as damaged: it may come from an attacker without the key.
      return try storeIsUnencrypted() ? SQLiteRowCodec.parsed([UInt8](body)) : nil
    }
    guard var plaintext = try decrypted(body, at: identity, keyID) else { return nil }
    defer { plaintext.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    return SQLiteRowCodec.parsed(plaintext)
  }

  /// Returns the body of a record in the form in which it is stored.
  func body(of members: JSONObject, at identity: RowIdentity) throws(SQLiteFailure) -> [UInt8] {
    var bytes = JSONValue.object(members).bytes
    guard let current else { return bytes }
    guard let encrypted = current.encrypt(&bytes, at: identity, &nonces) else {
      throw SQLiteFailure.damaged("a record cannot be encrypted")
    }
    return encrypted
  }

  private static func parsed(_ bytes: [UInt8]) -> JSONObject? {
    (try? JSONValue(parsing: bytes, limits: limits))?.object
  }

  /// Returns the decrypted body; nil if no key decrypts it.
  private func decrypted(
    _ body: UnsafeRawBufferPointer, at identity: RowIdentity, _ id: Int64
  ) throws(SQLiteFailure) -> [UInt8]? {
    // A key that decrypts the body is the right one. Its row in the database need not be checked.
    if let known = connection.ciphers[id], let plaintext = known.decrypt(body, at: identity) {
      return plaintext
    }
    return try cipher(id)?.decrypt(body, at: identity)
  }

  /// Returns the key with an ID; nil if the database has no such key.
  private func cipher(_ id: Int64) throws(SQLiteFailure) -> RowCipher? {
    if let current, current.id == id { return current }
    if let cipher = ciphers[id] { return cipher }
    guard let row = try connection.keyRow(id) else { return nil }
    let cipher = try keys.obtain(row, within: callLimits)
    ciphers[id] = cipher
    connection.ciphers[id] = cipher
    return cipher
  }

  private func storeIsUnencrypted() throws(SQLiteFailure) -> Bool {
    if let isUnencrypted { return isUnencrypted }
    let isUnencrypted = try connection.currentKeyRow() == nil
    if isUnencrypted { try keys.checkUnencryptedAllowed() }
    self.isUnencrypted = isUnencrypted
    return isUnencrypted
  }
}
