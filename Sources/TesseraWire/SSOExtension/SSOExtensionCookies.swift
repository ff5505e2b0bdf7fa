// SPDX-License-Identifier: MIT
// Header fields that sign a browser in, as the single sign-on extension hands them out.

/// Header fields that sign a browser in (MSAL for Apple, `MSIDBrokerOperationGetSsoCookiesResponse`).
public struct SSOExtensionCookies: Sendable, Hashable {
  /// A header field, with whom or what it stands for.
  public struct Field: Sendable, Hashable {
    /// The name of the field, such as `x-ms-RefreshTokenCredential`.
    public let name: String
    /// Its value: whoever has it can sign in.
    public let value: Secret
    /// The account, for a person's field.
    public let homeAccountID: String?
    /// The person's name, for a person's field.
    public let username: String?
    /// The tenant, for a device's field.
    public let tenantID: String?
  }

  /// Those that stand for people.
  public let people: [Field]
  /// Those that stand for the device.
  public let devices: [Field]

  /// Reads the object, which is written as a text; nothing of it is nothing at all.
  ///
  /// A field that is damaged is left out: the others sign in all the same.
  init(_ value: JSONValue?) throws(WireError) {
    guard let value, value != .null, value.string?.nonBlank != nil || value.string == nil else {
      people = []
      devices = []
      return
    }
    guard let json = value.objectInText else { throw .noSSOExtensionResponse("sso_cookies") }
    people = try SSOExtensionCookies.fields(json["prt_headers"], "prt_headers")
    devices = try SSOExtensionCookies.fields(json["device_headers"], "device_headers")
  }

  private static func fields(_ value: JSONValue?, _ name: String) throws(WireError) -> [Field] {
    guard let value, value != .null else { return [] }
    guard let list = value.array else { throw .noSSOExtensionResponse(name) }
    return list.compactMap { $0.object.flatMap(Field.init) }
  }
}

extension SSOExtensionCookies.Field {
  /// Reads a field: the one member of `header`, with whom it stands for.
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
