// SPDX-License-Identifier: MIT
// Which sign-ins are to be found by programs that still use an older library, and in which form.

/// Sign-ins of this application for the cache of an older library.
public struct ExportRequest: Sendable, Hashable {
  /// The form in which an older library finds them.
  public enum Format: String, Sendable, CaseIterable {
    /// Items of an Apple keychain, which ADAL 2.7 and later and MSAL for Apple read.
    case appleKeychain = "apple_keychain"
    /// The cache of ADAL for macOS, which the program keeps for it.
    case adalMacOS = "adal_macos"
  }

  /// The form.
  public var format: Format
  /// The cache of ADAL for macOS as it is now; empty for none.
  ///
  /// Whatever else is in it stays.
  public var data: [UInt8]
  /// The account, by its ``Account/homeAccountID``; nil for all that this application can use.
  public var homeAccountID: String?
  /// Milliseconds to wait for a store that another process holds; nil for ten seconds.
  public var timeoutMilliseconds: Int64?

  /// A request in a form.
  public init(format: Format, data: [UInt8] = []) {
    self.format = format
    self.data = data
  }
}

/// Sign-ins as an older library finds them.
///
/// They hold refresh tokens: keep them where nobody else can read them.
public struct ExportedSignIns: Sendable {
  /// An item of a keychain (`SecItemAdd`), with the attributes that older libraries ask for.
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
  }

  /// The access groups in which ADAL and MSAL look: that of iOS, and that of macOS.
  public static var accessGroups: [String] {
    ["com.microsoft.adalcache", "com.microsoft.identity.universalstorage"]
  }

  /// The form.
  public let format: ExportRequest.Format
  /// How many accounts are in it; the cache of ADAL for macOS has only people with a name.
  public let accountCount: Int
  /// The items, for a keychain.
  public let items: [Item]
  /// The cache of ADAL for macOS, with the accounts in it; empty for another form.
  public let data: [UInt8]
}

extension ExportedSignIns.Item: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// What it is found by, without its value.
  public var description: String {
    "Item(account: \"\(account)\", service: \"\(service)\", value: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// What it is found by, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["account": account, "service": service])
  }
}

extension ExportedSignIns: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The form and how much is in it, without any of it.
  public var description: String {
    "ExportedSignIns(format: \(format.rawValue), accountCount: \(accountCount), <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The form and how much is in it, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["format": format.rawValue, "accountCount": accountCount])
  }
}

extension ExportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The form, without what is in the cache as it is now.
  public var description: String {
    "ExportRequest(format: \(format.rawValue), data: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The form, so that `dump` and a debugger show no token.
  public var customMirror: Mirror { Mirror(self, children: ["format": format.rawValue]) }
}
