// SPDX-License-Identifier: MIT
// The body of a row: JSON, sealed with the store's key or in clear.

import TesseraCache
import TesseraEngine
import TesseraWire

/// Reads and writes the bodies of rows, inside one transaction.
final class SQLiteRowCodec {
  /// What a server may send is smaller, whatever it grows to when it is escaped.
  private static let limits = JSONValue.Limits(bytes: 16 << 20, depth: 128)

  private let connection: SQLiteConnection
  private let keys: StoreKeys
  private let callLimits: CallLimits
  /// The key that rows are written with; nil for in clear.
  private let current: RowCipher?
  private var seals: [Int64: RowCipher] = [:]
  private var isInClear: Bool?
  private var nonces = NonceSupply()

  /// A codec that only reads.
  init(reading connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = nil
  }

  /// A codec that writes as well, inside a write transaction.
  init(
    writing connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits
  ) throws(SQLiteFailure) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = try keys.current(connection, within: limits)
  }

  /// The number of the key that rows are written with.
  var keyID: Int64 { current?.id ?? 0 }

  /// The members of a record whose body is in a column; nil for a body that is damaged.
  ///
  /// - Throws: when the key can't be had: then nobody knows whether the body is damaged.
  func members(
    of row: SQLiteRow, _ column: Int32, at place: RowPlace, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    try row.withBytes(column) { body throws(SQLiteFailure) in
      try members(body, at: place, keyID: keyID)
    }
  }

  private func members(
    _ body: UnsafeRawBufferPointer, at place: RowPlace, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    guard keyID != 0 else {
      // Where rows are sealed, one in clear is not from somebody who has the key.
      return try storeIsInClear() ? SQLiteRowCodec.parsed([UInt8](body)) : nil
    }
    guard var opened = try opened(body, at: place, keyID) else { return nil }
    defer { opened.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    return SQLiteRowCodec.parsed(opened)
  }

  /// The body of a record, as it is stored.
  func body(of members: JSONObject, at place: RowPlace) throws(SQLiteFailure) -> [UInt8] {
    var bytes = JSONValue.object(members).bytes
    guard let current else { return bytes }
    guard let sealed = current.close(&bytes, at: place, &nonces) else {
      throw SQLiteFailure.damaged("a record can't be sealed")
    }
    return sealed
  }

  private static func parsed(_ bytes: [UInt8]) -> JSONObject? {
    (try? JSONValue(parsing: bytes, limits: limits))?.object
  }

  /// What was sealed; nil for what no key opens.
  private func opened(
    _ body: UnsafeRawBufferPointer, at place: RowPlace, _ id: Int64
  ) throws(SQLiteFailure) -> [UInt8]? {
    // What a key opens was sealed with it: then nobody has to look what the database says about the key.
    if let known = connection.seals[id], let opened = known.open(body, at: place) {
      return opened
    }
    return try seal(id)?.open(body, at: place)
  }

  /// The key with a number; nil for a number that no key has.
  private func seal(_ id: Int64) throws(SQLiteFailure) -> RowCipher? {
    if let current, current.id == id { return current }
    if let seal = seals[id] { return seal }
    guard let row = try connection.seal(id) else { return nil }
    let seal = try keys.obtain(row, within: callLimits)
    seals[id] = seal
    connection.seals[id] = seal
    return seal
  }

  private func storeIsInClear() throws(SQLiteFailure) -> Bool {
    if let isInClear { return isInClear }
    let isInClear = try connection.newestSeal() == nil
    if isInClear { try keys.checkClear() }
    self.isInClear = isInClear
    return isInClear
  }
}
