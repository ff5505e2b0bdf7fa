// SPDX-License-Identifier: MIT
// Requests and results of an export of sign-ins for older libraries.

import TesseraEngine

/// A request for the sign-ins of this application in the format of an older library.
public struct ExportRequest: Sendable, Hashable {
  /// The format that the older library reads.
  public enum Format: String, Sendable, CaseIterable {
    /// Items of an Apple keychain, for ADAL 2.7 and later and MSAL for Apple.
    case appleKeychain = "apple_keychain"
    /// The cache of ADAL for macOS, which the application stores itself.
    case adalMacOS = "adal_macos"
  }

  /// The format.
  public var format: Format
  /// The present cache of ADAL for macOS; empty for none.
  ///
  /// Its other contents are kept.
  public var data: [UInt8] = []
  /// The account, by its ``Account/homeAccountID``; `nil` for all accounts that this application can use.
  public var homeAccountID: String?
  /// The timeout of the whole call; `nil` for ten seconds for each access to a store that another process holds.
  public var timeout: Duration?

  /// Creates a request for a format.
  public init(
    format: Format, data: [UInt8] = [], homeAccountID: String? = nil, timeout: Duration? = nil
  ) {
    self.format = format
    self.data = data
    self.homeAccountID = homeAccountID
    self.timeout = timeout
  }
}

/// Sign-ins in the format of an older library.
///
/// They contain refresh tokens. Store them only where no other user can read them.
public struct ExportedSignIns: Sendable {
  /// A keychain item (`SecItemAdd`) with the attributes for which older libraries search.
  public struct Item: Sendable, Hashable {
    /// `kSecAttrAccount`.
    public let account: String
    /// `kSecAttrService`.
    public let service: String
    /// `kSecAttrGeneric`.
    public let generic: [UInt8]
    /// `kSecAttrType`; nil for none.
    public let type: Int?
    /// `kSecValueData`.
    public let value: [UInt8]

    /// Creates an item.
    public init(account: String, service: String, generic: [UInt8], type: Int?, value: [UInt8]) {
      self.account = account
      self.service = service
      self.generic = generic
      self.type = type
      self.value = value
    }
  }

  /// The keychain access groups of ADAL and MSAL: that of iOS, and that of macOS.
  public static var accessGroups: [String] {
    ["com.microsoft.adalcache", "com.microsoft.identity.universalstorage"]
  }

  /// The format.
  public let format: ExportRequest.Format
  /// The number of accounts.
  ///
  /// The cache of ADAL for macOS contains only accounts with a user name.
  public let accountCount: Int
  /// The keychain items.
  public let items: [Item]
  /// The cache of ADAL for macOS including the accounts; empty for another format.
  public let data: [UInt8]

  /// Creates exported sign-ins.
  public init(
    format: ExportRequest.Format, accountCount: Int, items: [Item] = [], data: [UInt8] = []
  ) {
    self.format = format
    self.accountCount = accountCount
    self.items = items
    self.data = data
  }
}

extension ExportedSignIns.Item: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The search attributes, without the value.
  public var description: String {
    "Item(account: \"\(account)\", service: \"\(service)\", value: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the search attributes, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["account": account, "service": service])
  }
}

extension ExportedSignIns: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The format and the number of accounts, without the contents.
  public var description: String {
    "ExportedSignIns(format: \(format.rawValue), accountCount: \(accountCount), <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the format and the number of accounts, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["format": format.rawValue, "accountCount": accountCount])
  }
}

extension ExportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The format, without the contents of the present cache.
  public var description: String {
    "ExportRequest(format: \(format.rawValue), data: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the format, so that `dump` and a debugger show no token.
  public var customMirror: Mirror { Mirror(self, children: ["format": format.rawValue]) }
}
