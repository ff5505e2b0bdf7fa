// SPDX-License-Identifier: MIT
// Detection of the account and the scopes of an entry while it is scanned.

import TesseraCache
import TesseraWire

/// The metadata that is collected from an entry.
struct UnifiedEntryScan {
  private let section: UnifiedSection
  private var homeAccountID: Range<Int>?
  private var environment: Range<Int>?
  private var target: Range<Int>?
  /// Whether a member name contains escapes.
  ///
  /// It may then be one of the names below.
  private var hasEscapedName = false

  init(_ section: UnifiedSection) {
    self.section = section
  }

  private static let homeName = Array("\"home_account_id\"".utf8)
  private static let environmentName = Array("\"environment\"".utf8)
  private static let targetName = Array("\"target\"".utf8)

  /// Scans an entry.
  mutating func read(_ scanner: inout UnifiedScanner, _ bytes: [UInt8]) throws(JSONError) {
    guard scanner.next() == UInt8(ascii: "{") else { return try scanner.value(2) }
    try scanner.object { scanner, name throws(JSONError) in
      let start = scanner.offset
      try scanner.value(3)
      let value = start..<scanner.offset
      if name.count == Self.homeName.count, bytes[name].elementsEqual(Self.homeName) {
        homeAccountID = value
      } else if name.count == Self.environmentName.count,
        bytes[name].elementsEqual(Self.environmentName)
      {
        environment = value
      } else if name.count == Self.targetName.count, bytes[name].elementsEqual(Self.targetName) {
        target = value
      } else if name.count >= Self.environmentName.count, bytes[name].contains(UInt8(ascii: "\\")) {
        hasEscapedName = true
      }
    }
  }

  /// Returns the owner hash and the account hash of the entry.
  func hashes(_ key: Range<Int>, _ bytes: [UInt8]) -> (owner: UInt64, account: UInt64) {
    if section == .own {
      var hash = AccountHash()
      for byte in bytes[key].dropFirst().dropLast() { hash.append(byte) }
      // Imported accounts have a different kind of owner.
      let isLegacy = bytes[key].dropFirst().starts(with: TesseraEntryKey.legacyPrefix)
      return (isLegacy || hasEscapedName ? AccountHash.unknown : owner(bytes).number, hash.number)
    }
    guard !hasEscapedName else { return (AccountHash.unknown, AccountHash.unknown) }
    let owner = owner(bytes)
    var account = owner
    account.append(UInt8(ascii: "-"))
    UnifiedEntryScan.append(environment, bytes, &account)
    return (owner.number, account.number)
  }

  /// Returns the scopes that the entry may have as an access token.
  func scopes(_ bytes: [UInt8]) -> UnifiedScopes {
    guard section == .accessToken, !hasEscapedName, let target,
      bytes[target.lowerBound] == UInt8(ascii: "\"")
    else { return .unknown }
    return UnifiedScopes(targetBytes: bytes[target.lowerBound + 1..<target.upperBound - 1])
  }

  private func owner(_ bytes: [UInt8]) -> AccountHash {
    var hash = AccountHash()
    // App metadata has no owner, even if the entry states one.
    if section != .appMetadata { UnifiedEntryScan.append(homeAccountID, bytes, &hash) }
    return hash
  }

  /// Adds the string in a range of bytes to a hash.
  ///
  /// Other values are ignored.
  private static func append(_ byteRange: Range<Int>?, _ bytes: [UInt8], _ hash: inout AccountHash)
  {
    guard let byteRange, byteRange.count > 2, bytes[byteRange.lowerBound] == UInt8(ascii: "\"")
    else { return }
    let text = bytes[byteRange.lowerBound + 1..<byteRange.upperBound - 1]
    if let first = text.first, let last = text.last, first > 0x20, last > 0x20,
      !text.contains(where: { $0 >= 0x7F || $0 == UInt8(ascii: "\\") })
    {
      for byte in text { hash.append(byte) }
    } else if let text = (try? JSONValue(parsing: Array(bytes[byteRange])))?.string {
      hash.append(text)
    }
  }
}
