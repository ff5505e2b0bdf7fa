// SPDX-License-Identifier: MIT
// The claims parameter (OpenID Connect Core 5.5): claims challenges, combined with the client capabilities.

/// The `claims` request parameter.
package enum ClaimsRequest {
  /// The top-level members (OpenID Connect Core 5.5, and Entra's `access_token`).
  private static let targets = ["id_token", "access_token", "userinfo"]

  /// Parses and normalizes a `claims` parameter.
  ///
  /// - Parameter onlyKnownTargets: Whether to reject top-level members that Entra does not support. Other servers may
  ///   support more.
  /// - Throws: ``WireError`` `claims_invalid` if the text is not a JSON object, or has a rejected member.
  package static func object(
    _ text: String, onlyKnownTargets: Bool = true
  ) throws(WireError) -> JSONObject {
    guard var object = (try? JSONValue(parsing: text))?.object else {
      throw WireError("claims_invalid", "claims is not a JSON object.")
    }
    for member in object.members {
      guard !onlyKnownTargets || targets.contains(member.name) else {
        throw WireError(
          "claims_invalid",
          "claims has the unknown target \"\(member.name.plain(atMost: 100))\": use \(targets.joined(separator: ", "))."
        )
      }
      guard var claims = member.value.object else { continue }
      for claim in claims.members { claims[claim.name] = withBooleanEssential(claim.value) }
      object[member.name] = .object(claims)
    }
    return object
  }

  /// Replaces a number in `essential` with a boolean, as MSAL for Apple does.
  private static func withBooleanEssential(_ claim: JSONValue) -> JSONValue {
    guard var members = claim.object, let number = members["essential"]?.integer else {
      return claim
    }
    members["essential"] = .bool(number != 0)
    return .object(members)
  }

  /// Whether the text requests any claims.
  ///
  /// An empty object requests none.
  package static func isRequest(_ claims: String?) -> Bool {
    parameter(claims, capabilities: []) != nil
  }

  /// Returns the parameter with the client capabilities merged into it; nil if it requests nothing.
  ///
  /// Text that needs no change is returned unchanged.
  package static func parameter(_ claims: String?, capabilities: [String]) -> String? {
    let requested = claims.flatMap { try? JSONValue(parsing: $0) }?.object
    let normalized = claims.flatMap { try? object($0, onlyKnownTargets: false) } ?? JSONObject()
    guard !capabilities.isEmpty else {
      guard let claims, !normalized.members.isEmpty else { return nil }
      return requested == normalized ? claims : JSONValue.object(normalized).serialized
    }
    var merged = normalized
    var accessToken = merged["access_token"]?.object ?? JSONObject()
    accessToken["xms_cc"] = ["values": .array(capabilities.map(JSONValue.string))]
    merged["access_token"] = .object(accessToken)
    return JSONValue.object(merged).serialized
  }
}
