// SPDX-License-Identifier: MIT
// Single sign-on header fields for a browser, as returned by the single sign-on extension.

public import TesseraWire

/// Single sign-on header fields for a browser (MSAL for Apple, `MSIDBrokerOperationGetSsoCookiesResponse`).
public struct SSOExtensionCookies: Sendable, Hashable {
  /// A header field, with the account or tenant that it belongs to.
  public struct Field: Sendable, Hashable {
    /// The name of the field, such as `x-ms-RefreshTokenCredential`.
    public let name: String
    /// The value, which is a credential.
    public let value: Secret
    /// The home account ID, for a user's header field.
    public let homeAccountID: String?
    /// The user name, for a user's header field.
    public let username: String?
    /// The tenant ID, for a device's header field.
    public let tenantID: String?
  }

  /// The header fields that authenticate users.
  public let users: [Field]
  /// The header fields that authenticate the device.
  public let devices: [Field]

  /// Reads the object, which is sent as JSON text; an absent or blank value has no header fields.
  ///
  /// Invalid header fields are skipped, because the valid ones work without them.
  init(_ value: JSONValue?) throws(WireError) {
    guard let value, value != .null, value.string?.nonBlank != nil || value.string == nil else {
      users = []
      devices = []
      return
    }
    guard let json = value.embeddedObject else { throw .invalidSSOExtensionResponse("sso_cookies") }
    users = try SSOExtensionCookies.fields(json["prt_headers"], "prt_headers")
    devices = try SSOExtensionCookies.fields(json["device_headers"], "device_headers")
  }

  private static func fields(_ value: JSONValue?, _ name: String) throws(WireError) -> [Field] {
    guard let value, value != .null else { return [] }
    guard let list = value.array else { throw .invalidSSOExtensionResponse(name) }
    return list.compactMap { $0.object.flatMap(Field.init) }
  }
}

extension SSOExtensionCookies.Field {
  /// Reads a header field, which is the only member of `header`; nil if it is invalid.
  fileprivate init?(_ json: JSONObject) {
    guard let header = json["header"]?.object, header.members.count == 1,
      let (name, content) = header.members.first, let value = content.string?.nonBlank,
      !name.isEmpty, (name + value).utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    self.name = name
    self.value = Secret(value)
    homeAccountID = json["home_account_id"]?.string?.nonBlank
    username = json["displayable_id"]?.string?.nonBlank
    tenantID = json["tenant_id"]?.string?.nonBlank
  }
}
