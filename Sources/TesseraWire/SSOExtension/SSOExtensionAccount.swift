// SPDX-License-Identifier: MIT
// An account that the broker knows, as the single sign-on extension describes it.

/// An account that the broker of an Apple system knows (MSAL for Apple, `MSIDAccount`).
public struct SSOExtensionAccount: Sendable, Hashable {
  /// What stays the same across tenants; nil where only the name is known.
  public let homeAccountID: String?
  /// The name the person signs in with.
  public let username: String?
  /// The person in the tenant.
  public let localAccountID: String?
  /// Another id of the person.
  public let alternativeAccountID: String?
  /// `MSSTS` for Entra's, or that of another kind.
  public let accountType: String?
  /// The host of the account's cloud.
  public let environment: String?
  /// The host under which the broker keeps it.
  public let storageEnvironment: String?
  /// The tenant.
  public let realm: String?
  /// The name as people see it.
  public let name: String?
  /// The given name.
  public let givenName: String?
  /// The middle name.
  public let middleName: String?
  /// The family name.
  public let familyName: String?
  /// `client_info`, as Entra sent it.
  public let clientInfo: String?
  /// The claims of the ID token, as JSON text.
  public let claims: String?
  /// Whether the device signs this person in everywhere.
  public let isSSOAccount: Bool

  /// Reads an account; nil for one that names nobody.
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
    claims = json["id_token_claims"]?.objectInText.map {
      String(decoding: JSONValue.object($0).bytes, as: UTF8.self)
    }
    isSSOAccount = json["is_sso_account"]?.flag ?? false
  }

  /// Reads a list, which is written as a text; one that names nobody is left out, as MSAL for Apple does.
  static func list(_ value: JSONValue?) throws(WireError) -> [SSOExtensionAccount] {
    guard let value, value != .null else { return [] }
    guard let text = value.string else { throw .noSSOExtensionResponse("accounts") }
    guard let text = text.nonBlank else { return [] }
    guard let list = (try? JSONValue(parsing: text))?.array else {
      throw .noSSOExtensionResponse("accounts")
    }
    return list.compactMap { $0.object.flatMap(SSOExtensionAccount.init) }
  }
}
