// SPDX-License-Identifier: MIT
// What an entry of ADAL.NET's cache says of a person and their tokens.

import TesseraWire

extension LegacyItem {
  /// The item of an entry.
  init(_ key: ADALDotNetKey, _ members: JSONObject) {
    let result = members["Result"]?.object ?? JSONObject()
    let person = result["UserInfo"]?.object ?? JSONObject()
    let idToken = result["IdToken"]?.string?.nonBlank.map(Secret.init)
    let claims =
      idToken.flatMap { try? JSONWebToken($0) }.map(IDTokenClaims.init)
      ?? IDTokenClaims(person, tenant: result["TenantId"]?.string, authority: key.authority)
    self.init(
      authority: key.authority, clientID: key.clientID,
      userID: person["DisplayableId"]?.string?.nonBlank ?? claims.map(LegacyItem.userID) ?? "")
    resource = key.resource
    accessToken = result["AccessToken"]?.string?.nonBlank.map(Secret.init)
    refreshToken = members["RefreshToken"]?.string?.nonBlank.map(Secret.init)
    isMultiResource = members["ResourceInResponse"]?.string?.nonBlank != nil
    self.idToken = idToken
    self.claims = claims
    if let text = members["RawClientInfo"]?.string?.nonBlank, let info = try? ClientInfo(text) {
      clientInfo = text
      homeAccountID = info.homeAccountID
    }
    expiresAt = DotNetDate.instant(result["ExpiresOn"])
    extendedExpiresAt = DotNetDate.instant(result["ExtendedExpiresOn"])
    notes.append("resource_in_response", members["ResourceInResponse"]?.string?.nonBlank)
    notes.append("token_type", result["AccessTokenType"]?.string?.nonBlank)
    notes.append("password_change_url", person["PasswordChangeUrl"]?.string?.nonBlank)
  }
}

extension IDTokenClaims {
  /// What a cache without ID tokens has noted; nil if it has noted nothing.
  fileprivate init?(_ person: JSONObject, tenant: String?, authority: String) {
    // `oid` if there was one, otherwise `sub`, which is all that an ADFS gives.
    let isADFS = WebAddress(authority)?.pathSegments.first?.normalised == "adfs"
    var claims = JSONObject()
    claims.append("upn", person["DisplayableId"]?.string?.nonBlank)
    claims.append(isADFS ? "sub" : "oid", person["UniqueId"]?.string?.nonBlank)
    claims.append("tid", tenant?.nonBlank)
    claims.append("given_name", person["GivenName"]?.string?.nonBlank)
    claims.append("family_name", person["FamilyName"]?.string?.nonBlank)
    claims.append("idp", person["IdentityProvider"]?.string?.nonBlank)
    guard !claims.members.isEmpty else { return nil }
    self.init(members: claims)
  }
}

/// Dates as the serializers of .NET write them.
enum DotNetDate {
  /// A point in time; nil for none, and for the first day of .NET's calendar, which stands for none.
  ///
  /// A DateTimeOffset is an object with `DateTime` in UTC; its offset only says which zone to show. Older versions of
  /// MSAL.NET write a DateTime alone.
  static func instant(_ value: JSONValue?) -> Instant? {
    guard let text = value?.object?["DateTime"]?.string ?? value?.string,
      let instant = milliseconds(text).map({ Instant(secondsSince1970: $0 / 1000) })
        ?? ISODate.instant(text)
    else { return nil }
    return instant.secondsSince1970 > 0 ? instant : nil
  }

  /// `/Date(1893456000000)/`; a zone behind the number changes nothing.
  private static func milliseconds(_ text: String) -> Int64? {
    guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
    let inside = text.dropFirst(6).dropLast(2)
    let digits = inside.dropFirst().prefix { $0.isASCII && $0.isNumber }
    return Int64(inside.prefix(1) + digits)
  }
}
