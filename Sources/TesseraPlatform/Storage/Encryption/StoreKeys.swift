// SPDX-License-Identifier: MIT
// The keys of a store, and the encryption of its rows.

import Synchronization
import TesseraEngine
import TesseraWire

/// The keys of one store.
///
/// A child of fork() can use the keys that its parent obtained.
final class StoreKeys: Sendable {
  let protection: any KeyProtection
  private let log: TesseraLog
  private let known = SpinLock(SmallDictionary<KeyRow, RowCipher>())
  /// Whether this process tried to create a key and may continue without encryption.
  private let allowsUnencrypted = Atomic(false)
  private let hasWarned = Atomic(false)
  private let hasUnwipedData = Atomic(false)
  /// A key that was created for the next commit.
  private let prefetchedKey = SpinLock<CreatedKey?>(nil)

  init(_ protection: any KeyProtection, _ log: TesseraLog) {
    self.protection = protection
    self.log = log
  }

  /// Throws if this machine cannot satisfy the policy.
  ///
  /// Call it before the first file of a store is created.
  func prepare(within limits: CallLimits) throws(TesseraError) {
    try protection.prepare(within: limits)
  }

  /// Adds the expected protection of a store without contents.
  func describeAvailability(
    _ info: inout StoreInfo, within limits: CallLimits
  ) throws(TesseraError) {
    let availability = try protection.availability(within: limits)
    info.protection = availability.protection
    info.keySource = availability.source
    info.attempts = availability.attempts
    info.problem = availability.problem
  }

  /// Throws if the policy does not trust unencrypted records.
  func checkUnencryptedAllowed() throws(SQLiteFailure) {
    try SQLiteFailure.wrapping { () throws(TesseraError) in try protection.checkUnencryptedAllowed()
    }
  }

  /// Obtains the key of the store before a write transaction, because the key source may be slow.
  ///
  /// - Parameter createsKey: Whether to create a key if the store has none that the policy accepts. Set it only while
  ///   holding the store lock until the commit, so that concurrent processes create only one key.
  /// - Returns: Whether a key is available or not needed; false if one must be created.
  func prefetchKey(
    _ connection: SQLiteConnection, within limits: CallLimits, createsKey: Bool
  ) throws(SQLiteFailure) -> Bool {
    guard !connection.hasVerifiedKey, !allowsUnencrypted.load(ordering: .acquiring) else {
      return true
    }
    let newest = try connection.transaction("BEGIN") { () throws(SQLiteFailure) -> KeyRow? in
      guard try SQLiteLayout.detect(connection) != .none else { return nil }
      let newest = try connection.currentKeyRow()
      try checkUnencryptedRecords(newest, connection)
      return newest
    }
    if let newest, accepts(newest.location) {
      _ = try obtain(newest, within: limits)
      connection.hasVerifiedKey = true
      return true
    }
    guard createsKey else { return false }
    // The commit is being retried, because another process was writing. Its new key is still unused.
    guard prefetchedKey.withLock({ $0 == nil }) else { return true }
    // Rows to be re-encrypted must be decrypted first.
    if let newest { _ = try? obtain(newest, within: limits) }
    let made = try SQLiteFailure.wrapping { () throws(TesseraError) in
      try protection.createKey(within: limits)
    }
    prefetchedKey.withLock { $0 = made }
    return true
  }

  /// Returns the current key for rows about to be written; nil if they are stored unencrypted.
  ///
  /// Call it inside a write transaction, so that concurrent processes create only one key. If the store has no key that
  /// the policy accepts, a new one is created and all rows are re-encrypted.
  func current(
    _ connection: SQLiteConnection, within limits: CallLimits
  ) throws(SQLiteFailure) -> RowCipher? {
    let newest = try connection.currentKeyRow()
    if let newest, accepts(newest.location) {
      let cipher = try obtain(newest, within: limits)
      warn(of: newest)
      return cipher
    }
    if newest == nil, allowsUnencrypted.load(ordering: .acquiring) { return nil }
    return try renew(newest, connection, within: limits)
  }

  /// Creates a new key and re-encrypts all rows.
  ///
  /// The row of the old key is kept as long as it is needed.
  private func renew(
    _ old: KeyRow?, _ connection: SQLiteConnection, within limits: CallLimits
  ) throws(SQLiteFailure) -> RowCipher? {
    try checkUnencryptedRecords(old, connection)
    let made = try SQLiteFailure.wrapping { () throws(TesseraError) in
      if let made = takePrefetchedKey() { return made }
      return try protection.createKey(within: limits)
    }
    return try adopt(made, old, connection, limits)
  }

  /// Rotates the key on request.
  ///
  /// The old key must be available before a new one is created.
  ///
  /// - Returns: Whether the store has a new key; false if it stays unencrypted.
  func rotate(
    to given: StoreKey?, _ connection: SQLiteConnection, within limits: CallLimits
  ) throws(SQLiteFailure) -> Bool {
    let old = try connection.currentKeyRow()
    if let old { _ = try obtain(old, within: limits) }
    try checkUnencryptedRecords(old, connection)
    let made = try SQLiteFailure.wrapping { () throws(TesseraError) in
      try protection.replaceKey(at: old?.location, with: given, within: limits)
    }
    guard try adopt(made, old, connection, limits) != nil else { return false }
    if let location = old?.location {
      log.write(
        .information,
        "The store gets a new key. The old one, \(location.name), remains in \(location.source.displayName)."
      )
    }
    return true
  }

  private func checkUnencryptedRecords(
    _ old: KeyRow?, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    guard old == nil, try connection.integer("SELECT 1 FROM record LIMIT 1") != nil else { return }
    try checkUnencryptedAllowed()
  }

  private func adopt(
    _ made: CreatedKey, _ old: KeyRow?, _ connection: SQLiteConnection, _ limits: CallLimits
  ) throws(SQLiteFailure) -> RowCipher? {
    warnIfUnprotected(made)
    guard let (location, material) = made.key else {
      guard old == nil else { return try obtain(old, within: limits) }
      try connection.storeAttempts(made.attempts)
      allowsUnencrypted.store(true, ordering: .releasing)
      return nil
    }
    let (row, cipher) = try SQLiteFailure.wrapping { () throws(TesseraError) in
      try newRow(after: old, location, material)
    }
    try connection.insert(row)
    try connection.storeAttempts(made.attempts)
    try Reencryption(connection, self, limits).reencryptAll(with: cipher)
    try connection.deleteUnusedKeys(but: cipher.id)
    hasUnwipedData.store(true, ordering: .releasing)
    return cipher
  }

  /// Returns the key for a row of the table `seal`.
  func obtain(
    _ row: KeyRow?, within limits: CallLimits
  ) throws(SQLiteFailure) -> RowCipher {
    // A cached row is compared byte by byte, so it was intact.
    if let row, let cipher = known.withLock({ $0[row] }) { return cipher }
    guard let row, row.isIntact else {
      throw SQLiteFailure.damaged("the key record is damaged")
    }
    return try SQLiteFailure.wrapping { () throws(TesseraError) in
      try cipher(of: row, within: limits)
    }
  }

  /// Whether rows were re-encrypted since the last call.
  ///
  /// The write-ahead log then still contains their previous contents.
  func needsWipe() -> Bool {
    hasUnwipedData.exchange(false, ordering: .acquiringAndReleasing)
  }

  func takePrefetchedKey() -> CreatedKey? {
    prefetchedKey.withLock { prefetchedKey in
      defer { prefetchedKey = nil }
      return prefetchedKey
    }
  }

  private func accepts(_ location: KeyLocation?) -> Bool {
    // A source that this version does not know is accepted here. Obtaining the key then fails with a reason.
    guard let location else { return true }
    return (try? protection.check(location)) != nil
  }
}

extension StoreKeys {
  /// Returns the cipher of an intact row.
  func cipher(of row: KeyRow, within limits: CallLimits) throws(TesseraError) -> RowCipher {
    if let cipher = known.withLock({ $0[row] }) { return cipher }
    guard let location = row.location else {
      throw TesseraError(
        .fixStorage, .keyUnavailable,
        "The token store is encrypted with a key from \(row.source), which this version does not support. Update this application."
      )
    }
    let material = try protection.key(at: location, within: limits)
    guard let cipher = try row.rowCipher(material) else {
      // The user may restore the right key.
      protection.invalidateCachedKey(location)
      throw TesseraError(
        .fixStorage, .cacheUndecryptable,
        "The token store is encrypted with a different key than the one from \(row.source). Provide the right key, or choose another store.group or store.directory. Nothing was changed."
      )
    }
    known.withLock { $0[row] = cipher }
    return cipher
  }

  /// Creates the row and the cipher of a new key.
  private func newRow(
    after old: KeyRow?, _ location: KeyLocation, _ material: KeyMaterial
  ) throws(TesseraError) -> (row: KeyRow, cipher: RowCipher) {
    let row = KeyRow(
      id: (old?.id ?? 0) + 1, location: location, material: material,
      salt: SystemRandomness().bytes(32))
    guard let cipher = try row.rowCipher(material) else {
      throw TesseraError(.fixStorage, .keyUnavailable, "A new key cannot be used. Try again.")
    }
    known.withLock { $0[row] = cipher }
    return (row, cipher)
  }
}

// MARK: - Stores that are one document

extension StoreKeys {
  /// Returns the key for a document that is about to be written; nil without encryption.
  ///
  /// If the document has no key that the policy accepts, a new one is created. Of two processes that create one at the
  /// same time, one is superseded and uses the other's key.
  func keyForWriting(
    after old: KeyRow?, within limits: CallLimits
  ) throws(TesseraError) -> (row: KeyRow, cipher: RowCipher)? {
    if let old, accepts(old.location) {
      warn(of: old)
      return (old, try cipher(of: old, within: limits))
    }
    if old == nil, allowsUnencrypted.load(ordering: .acquiring) { return nil }
    return try newKey(try protection.createKey(within: limits), after: old, within: limits)
  }

  /// Returns a new key for a document on request; nil if it stays unencrypted.
  func rotatedKey(
    to given: StoreKey?, after old: KeyRow?, within limits: CallLimits
  ) throws(TesseraError) -> (row: KeyRow, cipher: RowCipher)? {
    let made = try protection.replaceKey(at: old?.location, with: given, within: limits)
    return try newKey(made, after: old, within: limits)
  }

  private func newKey(
    _ made: CreatedKey, after old: KeyRow?, within limits: CallLimits
  ) throws(TesseraError) -> (row: KeyRow, cipher: RowCipher)? {
    warnIfUnprotected(made)
    if let (location, material) = made.key { return try newRow(after: old, location, material) }
    guard let old else {
      allowsUnencrypted.store(true, ordering: .releasing)
      return nil
    }
    return (old, try cipher(of: old, within: limits))
  }
}

extension StoreKeys {
  /// Logs a warning if the tokens about to be written lack protection.
  ///
  /// Call it before the first of them is written.
  private func warnIfUnprotected(_ made: CreatedKey) {
    let tried = made.attempts.isEmpty ? "" : " Tried: \(log.text(of: made.attempts))"
    switch made.key?.location.source {
    case nil:
      warn("The token store is not encrypted: a reader of the store can use the tokens.\(tried)")
    case .keyFile: warn(StoreKeys.keyFileWarning + tried)
    default:
      if !tried.isEmpty { warn("The token store is encrypted with a fallback key source.\(tried)") }
    }
  }

  private func warn(of row: KeyRow) {
    if row.source == KeySource.keyFile.rawValue { warn(StoreKeys.keyFileWarning) }
  }

  private func warn(_ message: String) {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    log.write(.warning, message)
  }

  private static let keyFileWarning =
    "The token store is encrypted, but the key is in a file on the same disk. Anyone who can read the disk can decrypt the tokens."
}

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
    let proof = KeyRow.proof(material, salt) ?? []
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
  func rowCipher(_ material: KeyMaterial) throws(TesseraError) -> RowCipher? {
    guard let expected = KeyRow.proof(material, salt) else { throw KeyRow.outOfMemory }
    guard expected.isSame(as: Array(proof.prefix(KeyRow.proofSize))) else { return nil }
    let cipher = KeyRow.withDerivedKey(material, salt, "tessera row key 2") {
      RowCipher(id: id, key: $0)
    }
    guard let cipher else { throw KeyRow.outOfMemory }
    return cipher
  }

  private static let outOfMemory = TesseraError(
    .fixStorage, .keyUnavailable,
    "The key of the token store could not be derived: out of memory.")

  private static func proof(_ material: KeyMaterial, _ salt: [UInt8]) -> [UInt8]? {
    withDerivedKey(material, salt, "tessera key proof 2") { Array($0) }
  }

  /// Derives independent keys for different uses.
  private static func withDerivedKey<Value>(
    _ material: KeyMaterial, _ salt: [UInt8], _ use: String,
    _ body: (UnsafeRawBufferPointer) -> Value?
  ) -> Value? {
    material.withBytes { Cipher.withDerivedKey(from: $0, salt: salt, info: use, body) }
  }

  private static func checksum(
    _ id: Int64, _ source: String, _ name: String, _ salt: [UInt8], _ proof: [UInt8]
  ) -> [UInt8] {
    var hash = SHA256Hash()
    for part in [Array(String(id).utf8), Array(source.utf8), Array(name.utf8), salt, proof] {
      withUnsafeBytes(of: part.count.bigEndian) { hash.update($0) }
      hash.update(part)
    }
    return Array(hash.finish().prefix(8))
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

/// The attributes of a row that are authenticated with its body.
struct RowIdentity {
  /// The hash of the attributes of its record.
  let name: Int64
  /// The type number of its record.
  let type: Int64

  /// Whether the record is an access token.
  var isAccessToken: Bool { type == 2001 || type == 2007 }
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

  /// Passes the additional authenticated data to `body`: a label, the row's name, its type and the key ID.
  private func withContext<Value>(
    of identity: RowIdentity, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let numbers = (identity.name.bigEndian, identity.type.bigEndian, id.bigEndian)
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
    let identity: RowIdentity
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
      SELECT key, name, type, key_id, body FROM record WHERE key >= ? AND key_id <> ?
      ORDER BY key LIMIT ?
      """, [.integer(key), .integer(id), .integer(Reencryption.batch)]
    ) { row in
      rows.append(
        Row(
          key: row.integer(0), identity: RowIdentity(name: row.integer(1), type: row.integer(2)),
          keyID: row.integer(3), body: row.bytes(4)))
      return true
    }
    return rows
  }

  private func reencrypt(
    _ row: Row, with cipher: RowCipher, _ nonces: inout NonceSupply
  ) throws(SQLiteFailure) {
    guard row.keyID != 0 || cipher.id == 1 else { return }
    var body = row.body
    if var plaintext = try decrypted(row) {
      guard let encrypted = cipher.encrypt(&plaintext, at: row.identity, &nonces) else { return }
      body = encrypted
    }
    try connection.query(
      "UPDATE record SET key_id = ?, body = ? WHERE key = ?",
      [.integer(cipher.id), .blob(body), .integer(row.key)])
  }

  /// Returns the decrypted body of a row; nil if no key decrypts it.
  private func decrypted(_ row: Row) throws(SQLiteFailure) -> [UInt8]? {
    guard row.keyID != 0 else { return row.body }
    guard let stored = try connection.keyRow(row.keyID) else { return nil }
    let cipher = try keys.obtain(stored, within: limits)
    return row.body.withUnsafeBytes { cipher.decrypt($0, at: row.identity) }
  }
}
