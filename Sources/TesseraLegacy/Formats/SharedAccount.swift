// SPDX-License-Identifier: MIT
// An account shared between the applications of a publisher, in the format of ADAL and MSAL for Apple.

package import TesseraCache
package import TesseraWire

/// A shared account: it lists the applications of a publisher that a user signed in to, without tokens.
package struct SharedAccount: Sendable, Hashable {
  /// The ID of the account in its list.
  package let id: String
  /// The host of the cloud.
  package let environment: String
  /// The home account ID, or `nil` for a guest if it was not stored.
  package let homeAccountID: String?
  package let username: String?
  /// The stored user data, in the form of ID token claims.
  package let claims: JSONObject
  /// Whether the user is signed in to an application, by application ID.
  package let signInStatus: [String: Bool]

  /// Parses a shared account.
  ///
  /// - Throws: ``WireError`` if the account type is unknown or required members are missing.
  package init(_ json: JSONObject) throws(WireError) {
    guard let id = json["id"]?.string?.nonBlank, let type = json["type"]?.string?.nonBlank else {
      throw WireError(
        "shared_account_invalid", "Unexpected shared account found without type or identifier")
    }
    self.id = id
    var status: [String: Bool] = [:]
    for member in json["signInStatus"]?.object?.members ?? [] {
      status[member.name] = member.value.string == "SignedIn"
    }
    signInStatus = status
    switch type {
    case "ADAL":
      let address = json["authEndpointUrl"]?.string.flatMap(WebURL.init)
      guard let address, let tenant = address.pathSegments.first else {
        throw WireError("shared_account_invalid", "Unexpected authority found")
      }
      environment = address.environment
      username = json["username"]?.string
      claims = SharedAccount.claims(json)
      homeAccountID = SharedAccount.home(json, tenant: tenant)
    case "MSA":
      guard let user = json["cid"]?.string.flatMap(SharedAccount.personalID) else {
        throw WireError(
          "shared_account_invalid", "Unexpected identifier found for MSA account")
      }
      environment = "login.windows.net"
      username = json["email"]?.string
      claims = ["tid": .string(SharedAccount.personalTenant), "oid": .string(user)]
      homeAccountID = "\(user).\(SharedAccount.personalTenant)"
    default:
      throw WireError("shared_account_invalid", "Unexpected account type")
    }
  }

  /// Whether the account is listed.
  ///
  /// It is not if the user signed out of every application.
  package var isVisible: Bool { signInStatus.isEmpty || signInStatus.values.contains(true) }

  /// The account as an imported item without tokens.
  package var item: LegacyItem {
    let tenant = claims["tid"]?.string ?? ""
    var item = LegacyItem(
      environment: environment, realm: tenant, clientID: "", userID: username ?? "")
    item.homeAccountID = homeAccountID
    item.claims = IDTokenClaims(members: claims)
    item.isShared = true
    return item
  }
}

extension SharedAccount {
  /// The tenant of all personal accounts.
  private static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// Returns the home account ID, or `nil` if it is unknown.
  ///
  /// Only for an account at `common`, the object ID is certainly that of the home tenant. For others, the ID must be stored.
  private static func home(_ json: JSONObject, tenant: String) -> String? {
    guard tenant.normalised == "common" else {
      return json["additionalProperties"]?.object?["home_account_id"]?.string?.nonBlank?.normalised
    }
    let parts = ["oid", "tenantId"].compactMap { json[$0]?.string?.nonBlank }
    return parts.count == 2 ? parts.joined(separator: ".").normalised : nil
  }

  private static func claims(_ json: JSONObject) -> JSONObject {
    var claims = JSONObject()
    claims.append("oid", json["oid"]?.string?.nonBlank)
    claims.append("tid", json["tenantId"]?.string?.nonBlank)
    claims.append("name", json["displayName"]?.string?.nonBlank)
    return claims
  }

  /// Returns the object ID of a personal account, which is a UUID that ends with the 16 digits of the CID.
  private static func personalID(_ cid: String) -> String? {
    let digits = cid.normalised
    guard digits.count == 16, digits.allSatisfy(\.isHexDigit) else { return nil }
    return "00000000-0000-0000-\(digits.prefix(4))-\(digits.dropFirst(4))"
  }
}
