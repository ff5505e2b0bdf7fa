// SPDX-License-Identifier: MIT
// The unverified contents of a token, for debugging.

public import TesseraWire

/// The unverified contents of a token, for display and debugging.
///
/// Never use them for a decision.
///
/// The contents of an access token are defined by its resource, so a client must not depend on them. Anyone can create a
/// token with such contents. An application that receives tokens must verify them by other means.
public struct TokenDescription: Sendable, Hashable {
  /// The format of the token.
  public enum Kind: String, Sendable, CaseIterable {
    /// A JSON Web Token (RFC 7519).
    case jwt
    /// A format that only the issuer can read.
    case opaque
  }

  /// The format of the token.
  public let kind: Kind
  /// The `alg` header parameter; `nil` if there is none.
  public let algorithm: String?
  /// The issuer, as claimed by the token (`iss`).
  public let issuer: String?
  /// The audiences (`aud`).
  public let audiences: [String]
  /// The subject (`sub`).
  public let subject: String?
  /// The tenant (`tid`).
  public let tenantID: String?
  /// The application to which the token was issued (`azp`, `appid` or `client_id`).
  public let clientID: String?
  /// The user name (`preferred_username`, `upn` or `unique_name`).
  public let username: String?
  /// The delegated permissions (`scp` or `scope`).
  public let scopes: [String]
  /// The roles that are assigned to the application or the user (`roles`).
  public let roles: [String]
  /// The time of issue in seconds since 1970 (`iat`).
  package let issuedOn: Int64?
  /// The start of validity in seconds since 1970 (`nbf`).
  package let notBeforeOn: Int64?
  /// The expiry time in seconds since 1970 (`exp`).
  package let expiresOn: Int64?
  /// A hint about the use of such a token.
  public let hint: String

  /// Parses a token without verifying its signature.
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
    scopes = TokenDescription.spaceSeparated(claims["scp"] ?? claims["scope"])
    roles = TokenDescription.texts(claims["roles"])
    issuedOn = claims["iat"]?.integer
    notBeforeOn = claims["nbf"]?.integer
    expiresOn = claims["exp"]?.integer
    hint = TokenDescription.hint(parsed, audiences)
  }

  /// Returns the token without surrounding white space and a leading `Bearer`, which are often copied along.
  private static func bare(_ token: Secret) -> Secret {
    let text = token.reveal().trimmed
    guard text.prefix(7).lowercased() == "bearer " else { return Secret(text) }
    return Secret(String(text.dropFirst(7)).trimmed)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.string.map { [$0] } ?? value?.array?.compactMap(\.string) ?? []
  }

  private static func spaceSeparated(_ value: JSONValue?) -> [String] {
    texts(value).flatMap { $0.split(separator: " ").map(String.init) }
  }

  private static func hint(_ token: JSONWebToken?, _ audiences: [String]) -> String {
    guard let token else {
      return
        "Not a JWT: only the issuer can read it. A client must treat an access token as opaque."
    }
    // Microsoft Graph, by its application ID and its addresses.
    let isGraph = audiences.contains { audience in
      audience == "00000003-0000-0000-c000-000000000000"
        || audience.hasPrefix("https://graph.microsoft.")
    }
    if isGraph || token.header["nonce"] != nil {
      return
        "For Microsoft Graph only: no other API can verify its signature. Request a scope of your own API instead."
    }
    if token.claims.hasIDTokenClaims {
      return
        "An ID token: it identifies the user to the application. Send an access token to an API instead."
    }
    let audience = audiences.first?.plain(atMost: 200).nonBlank ?? "an unspecified audience"
    return "For \(audience): an API accepts only tokens with its own audience (aud)."
  }
}
