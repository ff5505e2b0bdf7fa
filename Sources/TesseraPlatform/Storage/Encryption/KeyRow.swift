// SPDX-License-Identifier: MIT
// The database row of a data key: its location, and a proof that identifies the right key.

import Crypto
import TesseraEngine

/// A row of the table `seal`, which describes one key of the store.
///
/// The row with the highest ID is the current key.
struct KeyRow: Hashable, Sendable {
  /// The key ID that rows refer to, from 1.
  let id: Int64
  /// The name of the key source.
  let source: String
  /// The name of the key within its source.
  let name: String
  /// Random bytes, so that the same data key results in different row keys in two stores.
  let salt: [UInt8]
  /// A value that only the right key produces, followed by a checksum of this value and all other columns.
  let proof: [UInt8]

  private static let proofSize = 32

  /// Creates a row for a new key.
  init(id: Int64, location: KeyLocation, material: KeyMaterial, salt: [UInt8]) {
    let proof = KeyRow.derive(material, salt, "tessera key proof 2").withUnsafeBytes { Array($0) }
    self.init(
      id: id, source: location.source.rawValue, name: location.name, salt: salt, proof: proof)
  }

  private init(id: Int64, source: String, name: String, salt: [UInt8], proof: [UInt8]) {
    self.init(
      id: id, source: source, name: name, salt: salt,
      storedProof: proof + KeyRow.checksum(id, source, name, salt, proof))
  }

  /// Creates a row from its stored columns.
  ///
  /// - Parameter storedProof: The proof with its checksum.
  init(id: Int64, source: String, name: String, salt: [UInt8], storedProof: [UInt8]) {
    self.id = id
    self.source = source
    self.name = name
    self.salt = salt
    proof = storedProof
  }

  /// Reads a stored row.
  init(_ row: SQLiteRow) {
    self.init(
      id: row.integer(0), source: row.text(1), name: row.text(2), salt: row.bytes(3),
      storedProof: row.bytes(4))
  }

  /// The location of the key; nil for a source that this version does not know.
  var location: KeyLocation? {
    KeySource(rawValue: source).map { KeyLocation(source: $0, name: name) }
  }

  /// Whether the checksum matches.
  ///
  /// A damaged row must not be reported as a wrong key.
  var isIntact: Bool {
    let stored = proof.prefix(KeyRow.proofSize)
    return proof == stored + KeyRow.checksum(id, source, name, salt, Array(stored))
  }

  /// Returns the cipher for rows; nil if the key is not the one of this row.
  func rowCipher(_ material: KeyMaterial) -> RowCipher? {
    let expected = KeyRow.derive(material, salt, "tessera key proof 2")
    // `==` of symmetric keys runs in constant time.
    guard expected == SymmetricKey(data: proof.prefix(KeyRow.proofSize)) else { return nil }
    return RowCipher(id: id, key: KeyRow.derive(material, salt, "tessera row key 2"))
  }

  /// Derives independent keys for different uses, by HKDF with SHA-256 (RFC 5869).
  private static func derive(
    _ material: KeyMaterial, _ salt: [UInt8], _ use: String
  ) -> SymmetricKey {
    let key = material.withBytes { SymmetricKey(data: $0) }
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Array(use.utf8), outputByteCount: proofSize)
  }

  private static func checksum(
    _ id: Int64, _ source: String, _ name: String, _ salt: [UInt8], _ proof: [UInt8]
  ) -> [UInt8] {
    var hash = SHA256()
    for part in [Array(String(id).utf8), Array(source.utf8), Array(name.utf8), salt, proof] {
      withUnsafeBytes(of: part.count.bigEndian) { hash.update(bufferPointer: $0) }
      hash.update(data: part)
    }
    return Array(hash.finalize().prefix(8))
  }
}

extension SQLiteConnection {
  /// Returns the row of the current key; nil for an unencrypted store.
  func currentKeyRow() throws(SQLiteFailure) -> KeyRow? {
    var found: KeyRow?
    try query("SELECT id, source, name, salt, proof FROM seal ORDER BY id DESC LIMIT 1") { row in
      found = KeyRow(row)
      return false
    }
    return found
  }

  /// Returns the row of a key; nil if there is none.
  func keyRow(_ id: Int64) throws(SQLiteFailure) -> KeyRow? {
    var found: KeyRow?
    try query("SELECT id, source, name, salt, proof FROM seal WHERE id = ?", [.integer(id)]) {
      row in
      found = KeyRow(row)
      return false
    }
    return found
  }

  /// Deletes keys that no record uses any more.
  func deleteUnusedKeys(but id: Int64) throws(SQLiteFailure) {
    try query(
      """
      DELETE FROM seal WHERE id <> ?
      AND id NOT IN (SELECT key_id FROM record UNION SELECT key_id FROM aside)
      """, [.integer(id)])
  }

  /// Inserts the row of a new key.
  func insert(_ row: KeyRow) throws(SQLiteFailure) {
    try query(
      "INSERT INTO seal (id, source, name, salt, proof) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(row.id), .text(row.source), .text(row.name), .blob(row.salt),
        .blob(row.proof),
      ])
  }
}
