// SPDX-License-Identifier: MIT
// Detection of the type of a keychain item, by its value and then by its attributes.

import TesseraCache
import TesseraWire

extension KeychainItem {
  /// Calls `emit` with each entry in the item: one entry of ADAL or MSAL, or all those of an MSAL for macOS blob.
  package func emit(_ emit: (LegacyEntry) -> Void) {
    if let kind = preserved { return emit(.preserved(kind)) }
    if BinaryPropertyList.isBegun(by: value) { return emit(archived) }
    // ADAL.NET and MSAL.NET on macOS store the whole cache in one value.
    if value.count >= 8, value.starts(with: [3, 0, 0, 0]) {
      return read(as: .adalDotNet, emit)
    }
    guard value.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
      guard isLegacy || type.map(KeychainItem.isUnified) ?? false else {
        return emit(.preserved(.unknown))
      }
      return emit(.damaged(KeychainItem.invalid("The value of the item does not match its type.")))
    }
    if type == KeychainItem.primaryRefreshToken { return emit(.preserved(.primaryRefreshToken)) }
    guard let isBlob = try? isBlob() else {
      return emit(.damaged(KeychainItem.invalid("The value of the item is not JSON.")))
    }
    if isBlob { return read(as: .msalMacOS, emit) }
    guard let json = (try? JSONValue(parsing: value))?.object else {
      return emit(.damaged(KeychainItem.invalid("The value of the item is not JSON.")))
    }
    emit(LegacyEntry(unified: json))
  }

  /// Calls `emit` with each entry in a value that contains several.
  private func read(as format: LegacyFormat, _ emit: (LegacyEntry) -> Void) {
    do throws(LegacyCacheError) {
      try format.read(value, emit)
    } catch {
      emit(.damaged(error))
    }
  }

  /// Whether the value is an object with lists of the unified schema, of any size.
  private func isBlob() throws(JSONError) -> Bool {
    var members = try JSONElementScanner(value)
    while let member = try members.nextMember() {
      guard UnifiedFileReader.lists.contains(member.name) else { continue }
      if let list = try? JSONElementScanner(value, in: member.byteRange), list.isObject {
        return true
      }
    }
    return false
  }

  private static func invalid(_ message: String) -> LegacyCacheError {
    LegacyCacheError("keychain_value_invalid", message)
  }

  /// The type number of a token that only a broker can use.
  private static let primaryRefreshToken = CredentialType.primaryRefreshToken.number

  private var archived: LegacyEntry {
    do throws(LegacyCacheError) {
      let entry = try AppleItemReader.entry(value)
      guard case .item(var item) = entry, item.userID.isEmpty, let name else { return entry }
      item.userID = name
      return .item(item)
    } catch {
      return .damaged(error)
    }
  }

  /// The user name in the account attribute, which is base64url on iOS and plain text on macOS.
  private var name: String? {
    guard let account = account?.nonBlank else { return nil }
    guard let bytes = Base64URL.decode(account),
      let text = String(validating: bytes, as: UTF8.self),
      text == text.normalised, text.utf8.allSatisfy({ $0 > 0x20 })
    else { return account.normalised }
    return text.nonBlank
  }

  /// The kind of an item that belongs to another application, detected by its unique attributes.
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
