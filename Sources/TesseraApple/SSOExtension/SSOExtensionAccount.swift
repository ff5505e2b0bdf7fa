// SPDX-License-Identifier: MIT
// An account of the broker, as described by the single sign-on extension.

package import TesseraWire

/// An account of the broker on an Apple system (MSAL for Apple, `MSIDAccount`).
public struct SSOExtensionAccount: Sendable, Hashable {
  /// The account ID that is the same in all tenants; nil if only the user name is known.
  public let homeAccountID: String?
  /// The user name.
  public let username: String?
  /// The user's object ID in the tenant.
  public let localAccountID: String?
  /// An alternative ID of the user.
  public let alternativeAccountID: String?
  /// The account type, such as `MSSTS` for Entra.
  public let accountType: String?
  /// The host of the account's cloud.
  public let environment: String?
  /// The host under which the broker stores the account.
  public let storageEnvironment: String?
  /// The tenant ID.
  public let realm: String?
  /// The display name.
  public let name: String?
  /// The given name.
  public let givenName: String?
  /// The middle name.
  public let middleName: String?
  /// The family name.
  public let familyName: String?
  /// The `client_info` from Entra.
  public let clientInfo: String?
  /// The claims of the ID token, as JSON text.
  public let claims: String?
  /// Whether the device uses the account for single sign-on.
  public let isSSOAccount: Bool

  /// Reads an account; nil if it has neither a home account ID nor a user name.
  package init?(_ json: JSONObject) {
    func text(_ name: String) -> String? { json[name]?.string?.nonBlank }
    homeAccountID = text("home_account_id")
    username = text("username")
    guard homeAccountID != nil || username != nil else { return nil }
    localAccountID = text("local_account_id")
    alternativeAccountID = text("alternative_account_id")
    accountType = text("account_type")
    environment = text("environment")
    storageEnvironment = text("storage_environment")
    realm = text("realm")
    name = text("name")
    givenName = text("given_name")
    middleName = text("middle_name")
    familyName = text("family_name")
    clientInfo = text("client_info")
    claims = json["id_token_claims"]?.embeddedObject.map {
      String(decoding: JSONValue.object($0).bytes, as: UTF8.self)
    }
    isSSOAccount = json["is_sso_account"]?.flag ?? false
  }

  /// Parses a list, which is sent as JSON text.
  ///
  /// Skips accounts without an ID and a user name, as MSAL for Apple does.
  static func list(_ value: JSONValue?) throws(WireError) -> [SSOExtensionAccount] {
    guard let value, value != .null else { return [] }
    guard let text = value.string else { throw .invalidSSOExtensionResponse("accounts") }
    guard let text = text.nonBlank else { return [] }
    guard let list = (try? JSONValue(parsing: text))?.array else {
      throw .invalidSSOExtensionResponse("accounts")
    }
    return list.compactMap { $0.object.flatMap(SSOExtensionAccount.init) }
  }
}
