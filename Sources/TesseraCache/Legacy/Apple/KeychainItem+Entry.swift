// SPDX-License-Identifier: MIT
// What an item of a keychain is, told by its value first and by its attributes where that says too little.

import TesseraWire

extension KeychainItem {
  /// Meets what is in the item: an entry of ADAL's or of MSAL's, or all that MSAL for macOS keeps in one.
  package func meet(_ meet: (LegacyEntry) -> Void) {
    if let kind = preserved { return meet(.preserved(kind)) }
    if BinaryPropertyList.isBegun(by: value) { return meet(archived) }
    guard value.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
      guard isLegacy || type.map(KeychainItem.isUnified) ?? false else {
        return meet(.preserved(.unknown))
      }
      return meet(
        .damaged(
          LegacyDamage("keychain_value_invalid", "The value of the item is not one of its kind."))
      )
    }
    let limits = JSONValue.Limits(bytes: value.count)
    guard let json = (try? JSONValue(parsing: value, limits: limits))?.object else {
      return meet(
        .damaged(LegacyDamage("keychain_value_invalid", "The value of the item is not JSON.")))
    }
    guard LoginKeychainReader.isBlob(json) else {
      return meet(LegacyEntry(unified: json, type: type))
    }
    LoginKeychainReader.read(json, meet)
  }

  private var archived: LegacyEntry {
    do throws(LegacyDamage) {
      let entry = try AppleItemReader.entry(value)
      guard case .item(var item) = entry, item.userID.isEmpty, let name else { return entry }
      item.userID = name
      return .item(item)
    } catch {
      return .damaged(error)
    }
  }

  /// Who the account attribute names: on iOS in base64url, on macOS as it is.
  private var name: String? {
    guard let account = account?.nonBlank else { return nil }
    guard let bytes = Base64URL.decode(account),
      let text = String(validating: bytes, as: UTF8.self),
      text == text.normalised, text.utf8.allSatisfy({ $0 > 0x20 })
    else { return account.normalised }
    return text.nonBlank
  }

  /// What others act on; told by names that nobody else has.
  private var preserved: LegacyEntry.Preserved? {
    if account == "TokenWipe" || generic == Array("Microsoft.ADAL.WipeAll.1".utf8) {
      return .wipeMarker
    }
    let names = [account, service].compactMap { $0?.lowercased() }
    let begins = { (prefixes: [String]) in
      names.contains { name in prefixes.contains { name.hasPrefix($0) } }
    }
    if begins([
      "intune_app_protection_enrollment_id_v", "intune_mam_resource_v", "com.microsoft.intune",
    ]) {
      return .intune
    }
    return begins(["com.microsoft.workplacejoin", "workplacejoin"]) ? .deviceRegistration : nil
  }

  private var isLegacy: Bool { generic == Array(LegacyKeyParts.library.utf8) }

  private static func isUnified(_ type: Int) -> Bool {
    (1001...1004).contains(type) || (2001...2009).contains(type) || type == 3001 || type == 5001
  }
}

extension LegacyEntry {
  /// An object of the unified schema, told by its members; the type only says what it should have been.
  init(unified members: JSONObject, type: Int? = nil) {
    let credential = members["credential_type"]?.string.map(CredentialType.init(name:))
    if credential == .some(.primaryRefreshToken) || type == 2005 {
      self = .preserved(.primaryRefreshToken)
    } else if members["secret"]?.string == "<tombstone>" {
      // MSAL for Apple deletes it when it meets it.
      self = .preserved(.unknown)
    } else if members["enrollment_ids"] != nil {
      self = .preserved(.intune)
    } else if let number = LegacyEntry.typeNumber(members, type) {
      let record = CacheRecord(typeNumber: number, members: members)
      self =
        record.map(LegacyEntry.record)
        ?? .damaged(LegacyDamage("record_incomplete", "A record lacks what its kind needs."))
    } else {
      self = .preserved(.unknown)
    }
  }

  /// The kind of a record; nil for one that nobody loads, or that nothing is known of.
  private static func typeNumber(_ members: JSONObject, _ type: Int?) -> Int? {
    if let name = members["credential_type"]?.string {
      return CredentialType(name: name)?.number
    }
    if let name = members["authority_type"]?.string {
      return AccountRecord.typeNumber(name).map { 1000 + $0 }
    }
    if members["account_metadata_map"] != nil { return AccountMetadataRecord.typeNumber }
    switch type {
    case .some(1001...1004), .some(2001...2009), .some(AccountMetadataRecord.typeNumber):
      return type
    default: break
    }
    let isMetadata = members["client_id"]?.string != nil && members["environment"]?.string != nil
    return isMetadata || type == AppMetadataRecord.typeNumber ? AppMetadataRecord.typeNumber : nil
  }
}
