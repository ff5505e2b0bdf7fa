// SPDX-License-Identifier: MIT
// The bytes of a partition: a checksum, the row of the key, and the encrypted records.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The bytes of a partition of a host application's store.
///
/// The first line has the version of the format and a checksum of everything else, in every version. The second line is
/// the row of the key as JSON, an empty object without encryption. The remaining bytes are the records.
struct PartitionDocument {
  /// The reason why bytes are not a document.
  enum Problem: Error {
    /// The bytes are damaged.
    case damaged(String)
    /// A later version wrote the bytes.
    case tooNew
  }

  private static let version = 1
  private static let label = "tessera-partition"
  /// The maximum length of the first and of the second line, in bytes.
  private static let maximumLineBytes = 4096

  /// The row of the key that encrypts the records; nil without encryption.
  let keyRow: KeyRow?
  /// The records, encrypted unless there is no key.
  let body: [UInt8]

  init(keyRow: KeyRow?, body: [UInt8]) {
    self.keyRow = keyRow
    self.body = body
  }

  /// Parses the bytes of a partition.
  init(parsing bytes: [UInt8]) throws(Problem) {
    guard let (first, rest) = PartitionDocument.line(bytes[...]) else {
      throw .damaged("it has no header")
    }
    let words = String(decoding: first, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == PartitionDocument.label, let version = Int(words[1]) else {
      throw .damaged("its header is invalid")
    }
    guard words[2] == PartitionDocument.checksum(version, rest) else {
      throw .damaged("its checksum does not match")
    }
    guard version == PartitionDocument.version else { throw .tooNew }
    guard let (second, body) = PartitionDocument.line(rest),
      let row = (try? JSONValue(parsing: Array(second)))?.object
    else { throw .damaged("it has no key record") }
    if row.members.isEmpty {
      keyRow = nil
    } else {
      guard let keyRow = KeyRow(row), keyRow.isIntact else {
        throw .damaged("its key record is invalid")
      }
      self.keyRow = keyRow
    }
    self.body = Array(body)
  }

  /// The bytes of the partition.
  var bytes: [UInt8] {
    let row = JSONValue.object(keyRow?.json ?? JSONObject()).bytes
    let rest = row + [UInt8(ascii: "\n")] + body
    let checksum = PartitionDocument.checksum(PartitionDocument.version, rest[...])
    let first = "\(PartitionDocument.label) \(PartitionDocument.version) \(checksum)\n"
    return Array(first.utf8) + rest
  }

  /// Splits bytes at the end of their first line; nil if there is none, or if it is too long.
  private static func line(
    _ bytes: ArraySlice<UInt8>
  ) -> (line: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard let end = bytes.prefix(maximumLineBytes).firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    return (bytes[..<end], bytes[(end + 1)...])
  }

  /// Returns the checksum of everything after the first line.
  static func checksum(_ version: Int, _ bytes: ArraySlice<UInt8>) -> String {
    var hash = SHA256Hash()
    hash.update("\(version)\n")
    bytes.withUnsafeBytes { hash.update($0) }
    return Hexadecimal.text(hash.finish().prefix(16))
  }
}

extension KeyRow {
  /// Creates a row from its JSON form; nil if a member is missing.
  fileprivate init?(_ json: JSONObject) {
    guard let id = json["id"]?.integer, let source = json["source"]?.string,
      let name = json["name"]?.string,
      let salt = json["salt"]?.string.flatMap(Hexadecimal.bytes),
      let proof = json["proof"]?.string.flatMap(Hexadecimal.bytes)
    else { return nil }
    self.init(id: id, source: source, name: name, salt: salt, storedProof: proof)
  }

  fileprivate var json: JSONObject {
    [
      "id": .integer(id), "source": .string(source), "name": .string(name),
      "salt": .string(Hexadecimal.text(salt)), "proof": .string(Hexadecimal.text(proof)),
    ]
  }
}
