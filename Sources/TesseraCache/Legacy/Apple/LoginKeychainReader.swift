// SPDX-License-Identifier: MIT
// Reads what MSAL for macOS kept in the login keychain: two JSON objects with everything in them, by kind.

import TesseraWire

/// Reads the blobs of MSAL for macOS: objects of a kind, by key text, in one object of all kinds.
package enum LoginKeychainReader {
  /// The kinds: refresh tokens and accounts in the blob that programs share, the others in that of one program.
  private static let buckets = [
    "RefreshToken", "Account", "AccessToken", "AccessToken_With_AuthScheme", "IdToken",
    "AppMetadata", "AccountMetadataMap",
  ]

  /// Meets the records of a blob.
  package static func read(
    _ bytes: [UInt8], _ meet: (LegacyEntry) -> Void
  ) throws(LegacyDamage) {
    guard bytes.count <= BinaryPropertyList.maximumSize,
      let json = (try? JSONValue(parsing: bytes, limits: .init(bytes: bytes.count)))?.object,
      json.members.isEmpty || isBlob(json)
    else {
      throw LegacyDamage("login_keychain_invalid", "This is not what MSAL for macOS keeps.")
    }
    read(json, meet)
  }

  static func isBlob(_ json: JSONObject) -> Bool {
    json.members.contains { buckets.contains($0.name) && $0.value.object != nil }
  }

  static func read(_ json: JSONObject, _ meet: (LegacyEntry) -> Void) {
    var index = 0
    for bucket in json.members {
      guard buckets.contains(bucket.name), let records = bucket.value.object else {
        meet(.preserved(.unknown))
        continue
      }
      for record in records.members {
        defer { index += 1 }
        let entry = record.value.object.map { LegacyEntry(unified: $0) }
        let damage = LegacyDamage(
          entry: index, "record_incomplete", "A record lacks what its kind needs.")
        switch entry {
        case nil, .damaged: meet(.damaged(damage))
        case .some(let entry): meet(entry)
        }
      }
    }
  }
}
