// SPDX-License-Identifier: MIT
// An account that programs of one maker leave for each other, in the format that ADAL and MSAL for Apple share.

package import TesseraWire

/// An entry of the shared accounts: who signed in to a program of the same maker; no token is in it.
package struct SharedAccount: Sendable, Hashable {
  /// What stands for the entry in its list.
  package let id: String
  /// The host of the cloud.
  package let environment: String
  /// The home account id; nil for a guest of whom nobody noted it.
  package let homeAccountID: String?
  package let username: String?
  /// What is known of the person, as an ID token would say it.
  package let claims: JSONObject
  /// Whether programs are signed in, by their identifiers.
  package let signInStatus: [String: Bool]

  /// Reads an entry.
  ///
  /// - Throws: ``WireError`` for an entry of a kind that is not known, or that does not say where the person is at home.
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
      let address = json["authEndpointUrl"]?.string.flatMap(WebAddress.init)
      guard let address, let tenant = address.pathSegments.first else {
        throw WireError("shared_account_invalid", "Unexpected authority found")
      }
      environment = address.environment
      username = json["username"]?.string
      claims = SharedAccount.claims(json)
      homeAccountID = SharedAccount.home(json, tenant: tenant)
    case "MSA":
      guard let person = json["cid"]?.string.flatMap(SharedAccount.personalID) else {
        throw WireError(
          "shared_account_invalid", "Unexpected identifier found for MSA account")
      }
      environment = "login.windows.net"
      username = json["email"]?.string
      claims = ["tid": .string(SharedAccount.personalTenant), "oid": .string(person)]
      homeAccountID = "\(person).\(SharedAccount.personalTenant)"
    default:
      throw WireError("shared_account_invalid", "Unexpected account type")
    }
  }

  /// Whether it is to be shown: who has signed out of every program is not.
  package var isVisible: Bool { signInStatus.isEmpty || signInStatus.values.contains(true) }

  /// What a cache would have of the person, without a token.
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

  /// Only an account at `common` is certainly at home; of others somebody must have noted it.
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

  /// The object id of a personal account: its sixteen digits as the end of a UUID.
  private static func personalID(_ cid: String) -> String? {
    let digits = cid.normalised
    guard digits.count == 16, digits.allSatisfy(\.isHexDigit) else { return nil }
    return "00000000-0000-0000-\(digits.prefix(4))-\(digits.dropFirst(4))"
  }
}
