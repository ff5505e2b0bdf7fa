// SPDX-License-Identifier: MIT
// What a database says about a key: where it is kept, and how to know that it is the right one.

import Crypto
import TesseraEngine

/// A row of the table `seal`: one key of the store; the one with the highest number is the current one.
struct KeyRow: Hashable, Sendable {
  /// The number that rows name; from 1.
  let id: Int64
  /// The name of the source that keeps the key.
  let source: String
  /// What the source knows it by.
  let name: String
  /// Random bytes, so that a data key never seals two stores alike.
  let salt: [UInt8]
  /// What only the right key gives, and a sum over everything else in the row.
  let proof: [UInt8]

  private static let proofSize = 32

  /// A new row for a key that was just made.
  init(id: Int64, place: KeyLocation, material: KeyMaterial, salt: [UInt8]) {
    let proof = KeyRow.derive(material, salt, "tessera key proof 2").withUnsafeBytes { Array($0) }
    self.init(
      id: id, source: place.source.rawValue, name: place.name, salt: salt, proof: proof)
  }

  private init(id: Int64, source: String, name: String, salt: [UInt8], proof: [UInt8]) {
    self.id = id
    self.source = source
    self.name = name
    self.salt = salt
    self.proof = proof + KeyRow.sum(id, source, name, salt, proof)
  }

  /// A stored row.
  init(_ row: SQLiteRow) {
    id = row.integer(0)
    source = row.text(1)
    name = row.text(2)
    salt = row.bytes(3)
    proof = row.bytes(4)
  }

  /// Where the key is kept; nil for a source that this version does not know.
  var place: KeyLocation? {
    KeySource(rawValue: source).map { KeyLocation(source: $0, name: name) }
  }

  /// Whether the row is as it was written: what is damaged must not be taken for a wrong key.
  var isIntact: Bool {
    let stored = proof.prefix(KeyRow.proofSize)
    return proof == stored + KeyRow.sum(id, source, name, salt, Array(stored))
  }

  /// What seals rows; nil if the key is not the one that the row was made with.
  func rowSeal(_ material: KeyMaterial) -> RowCipher? {
    let expected = KeyRow.derive(material, salt, "tessera key proof 2")
    // `==` of symmetric keys takes the same time whatever differs.
    guard expected == SymmetricKey(data: proof.prefix(KeyRow.proofSize)) else { return nil }
    return RowCipher(id: id, key: KeyRow.derive(material, salt, "tessera row key 2"))
  }

  /// HKDF with SHA-256 (RFC 5869): independent keys for independent uses.
  private static func derive(
    _ material: KeyMaterial, _ salt: [UInt8], _ use: String
  ) -> SymmetricKey {
    let key = material.withBytes { SymmetricKey(data: $0) }
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Array(use.utf8), outputByteCount: proofSize)
  }

  private static func sum(
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
  /// The current key of the store; nil for a store in clear.
  func newestSeal() throws(SQLiteFailure) -> KeyRow? {
    var found: KeyRow?
    try query("SELECT id, source, name, salt, proof FROM seal ORDER BY id DESC LIMIT 1") { row in
      found = KeyRow(row)
      return false
    }
    return found
  }

  /// The key with a number.
  func seal(_ id: Int64) throws(SQLiteFailure) -> KeyRow? {
    var found: KeyRow?
    try query("SELECT id, source, name, salt, proof FROM seal WHERE id = ?", [.integer(id)]) {
      row in
      found = KeyRow(row)
      return false
    }
    return found
  }

  /// Forgets the keys that no row names any more.
  func forgetSeals(but id: Int64) throws(SQLiteFailure) {
    try query(
      """
      DELETE FROM seal WHERE id <> ?
      AND id NOT IN (SELECT key_id FROM record UNION SELECT key_id FROM aside)
      """, [.integer(id)])
  }

  /// Stores a new key.
  func insert(_ seal: KeyRow) throws(SQLiteFailure) {
    try query(
      "INSERT INTO seal (id, source, name, salt, proof) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(seal.id), .text(seal.source), .text(seal.name), .blob(seal.salt),
        .blob(seal.proof),
      ])
  }
}
