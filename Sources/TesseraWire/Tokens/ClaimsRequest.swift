// SPDX-License-Identifier: MIT
// The claims parameter (OpenID Connect Core 5.5): what a caller or a resource asks for, and what the application can do.

/// The `claims` parameter of requests to a server.
package enum ClaimsRequest {
  /// What claims can be asked for (OpenID Connect Core 5.5, and Entra's `access_token`).
  private static let targets = ["id_token", "access_token", "userinfo"]

  /// Claims as an object, with what their members must be.
  ///
  /// - Parameter onlyKnownTargets: whether a target is refused that Entra does not know; other servers may have their own.
  /// - Throws: ``WireError`` for a text that is no JSON object, and for a target that is refused.
  package static func object(
    _ text: String, onlyKnownTargets: Bool = true
  ) throws(WireError) -> JSONObject {
    guard var object = (try? JSONValue(parsing: text))?.object else {
      throw WireError("claims_invalid", "claims is not the text of a JSON object.")
    }
    for member in object.members {
      guard !onlyKnownTargets || targets.contains(member.name) else {
        throw WireError(
          "claims_invalid",
          "claims has the target \"\(member.name.plain(atMost: 100))\"; there are \(targets.joined(separator: ", "))."
        )
      }
      guard var claims = member.value.object else { continue }
      for claim in claims.members { claims[claim.name] = settled(claim.value) }
      object[member.name] = .object(claims)
    }
    return object
  }

  /// MSAL for Apple takes a number for `essential`, and sends what it means.
  private static func settled(_ claim: JSONValue) -> JSONValue {
    guard var members = claim.object, let number = members["essential"]?.integer else {
      return claim
    }
    members["essential"] = .bool(number != 0)
    return .object(members)
  }

  /// Whether a text requests claims; an empty object requests nothing.
  package static func isRequest(_ claims: String?) -> Bool {
    parameter(claims, capabilities: []) != nil
  }

  /// The parameter with the capabilities of the application in it; nil if there is nothing to ask for.
  ///
  /// A text that needs no change is passed on as it is.
  package static func parameter(_ claims: String?, capabilities: [String]) -> String? {
    let asked = claims.flatMap { try? JSONValue(parsing: $0) }?.object
    let meant = claims.flatMap { try? object($0, onlyKnownTargets: false) } ?? JSONObject()
    guard !capabilities.isEmpty else {
      guard let claims, !meant.members.isEmpty else { return nil }
      return asked == meant ? claims : JSONValue.object(meant).serialized
    }
    var merged = meant
    var accessToken = merged["access_token"]?.object ?? JSONObject()
    accessToken["xms_cc"] = ["values": .array(capabilities.map(JSONValue.string))]
    merged["access_token"] = .object(accessToken)
    return JSONValue.object(merged).serialized
  }
}
