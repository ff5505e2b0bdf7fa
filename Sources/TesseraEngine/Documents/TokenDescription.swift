// SPDX-License-Identifier: MIT
// What a token says of itself, for a developer who wonders why it was refused; nothing of it is checked.

public import TesseraWire

/// What a token says of itself: unverified, for display and for finding mistakes, never for a decision.
///
/// An access token is its resource's business: a client must not depend on what is in it. Anybody can write such a text,
/// so that an application that receives tokens has to verify them by other means.
public struct TokenDescription: Sendable, Hashable {
  /// What the text looks like.
  public enum Kind: String, Sendable, CaseIterable {
    /// A JSON Web Token (RFC 7519).
    case jwt
    /// Something that only its maker can read.
    case opaque
  }

  /// What the text looks like.
  public let kind: Kind
  /// `alg` of its header; nil without.
  public let algorithm: String?
  /// `iss`: who says to have issued it.
  public let issuer: String?
  /// `aud`: for whom it is.
  public let audiences: [String]
  /// `sub`: about whom it is.
  public let subject: String?
  /// `tid`: the tenant.
  public let tenantID: String?
  /// `azp`, `appid` or `client_id`: the application that it was issued to.
  public let clientID: String?
  /// The name the person signs in with.
  public let username: String?
  /// `scp` or `scope`: what a person has delegated.
  public let scopes: [String]
  /// `roles`: what an application or a person was assigned.
  public let roles: [String]
  /// `iat`, in seconds since 1970.
  public let issuedOn: Int64?
  /// `nbf`, in seconds since 1970.
  public let notBeforeOn: Int64?
  /// `exp`, in seconds since 1970.
  public let expiresOn: Int64?
  /// What is worth knowing about such a token.
  public let hint: String

  /// Describes a token; its signature is not looked at.
  public init(_ token: Secret) {
    let parsed = try? JSONWebToken(TokenDescription.bare(token))
    let claims = parsed?.claims ?? JSONObject()
    kind = parsed == nil ? .opaque : .jwt
    algorithm = parsed?.header["alg"]?.string
    issuer = claims["iss"]?.string
    audiences = TokenDescription.texts(claims["aud"])
    subject = claims["sub"]?.string
    tenantID = claims["tid"]?.string
    clientID = ["azp", "appid", "client_id"].lazy.compactMap { claims[$0]?.string }.first
    username =
      ["preferred_username", "upn", "unique_name"].lazy
      .compactMap { claims[$0]?.string }.first
    scopes = TokenDescription.words(claims["scp"] ?? claims["scope"])
    roles = TokenDescription.texts(claims["roles"])
    issuedOn = claims["iat"]?.integer
    notBeforeOn = claims["nbf"]?.integer
    expiresOn = claims["exp"]?.integer
    hint = TokenDescription.hint(parsed, audiences)
  }

  /// The token without what is copied along with it: white space, and the scheme of a header field.
  private static func bare(_ token: Secret) -> Secret {
    let text = token.reveal().trimmed
    guard text.prefix(7).lowercased() == "bearer " else { return Secret(text) }
    return Secret(String(text.dropFirst(7)).trimmed)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.string.map { [$0] } ?? value?.array?.compactMap(\.string) ?? []
  }

  private static func words(_ value: JSONValue?) -> [String] {
    texts(value).flatMap { $0.split(separator: " ").map(String.init) }
  }

  private static func hint(_ token: JSONWebToken?, _ audiences: [String]) -> String {
    guard let token else {
      return "Not a JWT: only its maker can read it, and no client needs to."
    }
    // Microsoft Graph, by its application id and by its addresses.
    let isGraph = audiences.contains { audience in
      audience == "00000003-0000-0000-c000-000000000000"
        || audience.hasPrefix("https://graph.microsoft.")
    }
    if isGraph || token.header["nonce"] != nil {
      return
        "For Microsoft Graph alone: nobody else can verify its signature. Ask for a scope of your own API instead."
    }
    if token.claims["nonce"] != nil || token.claims["at_hash"] != nil {
      return "An ID token: it says who signed in. Send an access token to an API, not this."
    }
    let audience = audiences.first?.plain(atMost: 200).nonBlank ?? "nobody in particular"
    return "For \(audience): an API accepts only tokens whose audience it is."
  }
}

extension TokenDescription {
  /// The document "TokenDescription" of docs/c-interface.md.
  package var json: JSONValue {
    var json = JSONObject()
    json.append("kind", kind.rawValue)
    json.append("verified", .bool(false))
    json.append("algorithm", algorithm)
    json.append("issuer", issuer)
    json.append("audiences", .strings(audiences))
    json.append("subject", subject)
    json.append("tenant_id", tenantID)
    json.append("client_id", clientID)
    json.append("username", username)
    json.append("scopes", .strings(scopes))
    json.append("roles", .strings(roles))
    for (name, time) in [
      ("issued_on", issuedOn), ("not_before_on", notBeforeOn), ("expires_on", expiresOn),
    ] {
      if let time { json.append(name, .integer(time)) }
    }
    json.append("hint", hint)
    return .object(json)
  }
}
