// SPDX-License-Identifier: MIT
// Conversion of an ADAL.NET cache entry to an item.

import TesseraCache
import TesseraWire

extension LegacyItem {
  /// Creates an item from a cache entry.
  init(_ key: ADALDotNetKey, _ members: JSONObject) {
    let result = members["Result"]?.object ?? JSONObject()
    let user = result["UserInfo"]?.object ?? JSONObject()
    let idToken = result["IdToken"]?.string?.nonBlank.map(Secret.init)
    let claims =
      idToken.flatMap { try? JSONWebToken($0) }.map(IDTokenClaims.init)
      ?? IDTokenClaims(user, tenant: result["TenantId"]?.string, authority: key.authority)
    self.init(
      authority: key.authority, clientID: key.clientID,
      userID: user["DisplayableId"]?.string?.nonBlank ?? claims.map(LegacyItem.userID) ?? "")
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
    extraMembers.append("resource_in_response", members["ResourceInResponse"]?.string?.nonBlank)
    extraMembers.append("token_type", result["AccessTokenType"]?.string?.nonBlank)
    extraMembers.append("password_change_url", user["PasswordChangeUrl"]?.string?.nonBlank)
  }
}

extension IDTokenClaims {
  /// Creates claims from the user data of a cache without ID tokens, or returns `nil` if it has none.
  fileprivate init?(_ user: JSONObject, tenant: String?, authority: String) {
    // The unique ID is `oid` if the token had one, otherwise `sub`. ADFS only has `sub`.
    let isADFS = WebURL(authority)?.pathSegments.first?.normalised == "adfs"
    var claims = JSONObject()
    claims.append("upn", user["DisplayableId"]?.string?.nonBlank)
    claims.append(isADFS ? "sub" : "oid", user["UniqueId"]?.string?.nonBlank)
    claims.append("tid", tenant?.nonBlank)
    claims.append("given_name", user["GivenName"]?.string?.nonBlank)
    claims.append("family_name", user["FamilyName"]?.string?.nonBlank)
    claims.append("idp", user["IdentityProvider"]?.string?.nonBlank)
    guard !claims.members.isEmpty else { return nil }
    self.init(members: claims)
  }
}

/// Dates in the formats of .NET serializers.
enum DotNetDate {
  /// Returns a point in time, or `nil` for none and for the minimum date of .NET, which means none.
  ///
  /// A DateTimeOffset is an object with `DateTime` in UTC. Its offset is only the time zone to display. Older versions
  /// of MSAL.NET write a DateTime instead.
  static func instant(_ value: JSONValue?) -> Instant? {
    guard let text = value?.object?["DateTime"]?.string ?? value?.string,
      let instant = milliseconds(text).map({ Instant(secondsSince1970: $0 / 1000) })
        ?? ISODate.instant(text)
    else { return nil }
    return instant.secondsSince1970 > 0 ? instant : nil
  }

  /// Parses `/Date(1893456000000)/`.
  ///
  /// A time zone after the number is ignored.
  private static func milliseconds(_ text: String) -> Int64? {
    guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
    let inside = text.dropFirst(6).dropLast(2)
    let digits = inside.dropFirst().prefix { $0.isASCII && $0.isNumber }
    return Int64(inside.prefix(1) + digits)
  }
}
