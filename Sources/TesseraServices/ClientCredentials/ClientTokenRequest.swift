// SPDX-License-Identifier: MIT
// The request for a token of the application itself.

package import TesseraEngine
import TesseraWire

/// A request for a token of the application itself, without a user (RFC 6749 section 4.4).
public struct ClientTokenRequest: Sendable, Hashable {
  /// The requested scopes; at Entra, the `/.default` scope of one resource.
  public var scopes: [String]
  /// The authority; `nil` for the one of the configuration.
  public var authority: String?
  /// The ID or a domain of the tenant, instead of the one in the authority of the configuration; Entra only.
  ///
  /// An application of several tenants needs no application object for each.
  public var tenant: String?
  /// A claims challenge of a resource, as JSON text.
  ///
  /// With it, the cached token is not used, unless ``tokenSHA256ToRefresh`` identifies the rejected one.
  public var claims: String?
  /// Whether to request a new token even if the cached one is valid.
  ///
  /// A token that another caller has requested in the meantime is returned.
  public var forcesRefresh = false
  /// The SHA-256 of a token that a resource rejected, in hexadecimal digits.
  ///
  /// A cached token with this digest is not used. A newer one is, although the request has ``claims`` (MSAL for .NET:
  /// `WithAccessTokenSha256ToRefresh`).
  public var tokenSHA256ToRefresh: String?
  /// Additional form fields for the token request; see ``SilentRequest/extraTokenParameters``.
  public var extraTokenParameters: [String: String] = [:]
  /// Additional query parameters for the token endpoint; see ``SilentRequest/extraQueryParameters``.
  public var extraQueryParameters: [String: String] = [:]
  /// The timeout of the call; `nil` for the limits of the network settings.
  public var timeout: Duration?
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?
  /// The `traceparent` of the call's span (W3C Trace Context level 1); see ``SilentRequest/traceparent``.
  public var traceparent: String?
  /// The `tracestate` of the trace; it requires ``traceparent``.
  public var tracestate: String?

  /// Creates a request.
  public init(
    scopes: [String], authority: String? = nil, tenant: String? = nil, claims: String? = nil,
    forcesRefresh: Bool = false, timeout: Duration? = nil
  ) {
    self.scopes = scopes
    self.authority = authority
    self.tenant = tenant
    self.claims = claims
    self.forcesRefresh = forcesRefresh
    self.timeout = timeout
  }
}

extension ClientTokenRequest: TracedRequest {
  /// Whether the result may be cached.
  package var isCacheable: Bool {
    !forcesRefresh && claims == nil && tokenSHA256ToRefresh == nil
  }

  /// The key of the cached result.
  package var cacheKey: FeatureRequestKey {
    FeatureRequestKey(
      "client", [authority ?? "", tenant ?? "", String(scopes.count)] + scopes)
  }

  /// The serial key of the call.
  ///
  /// Calls for the same token run one after another, so that one request serves all of them.
  package var serialKey: String {
    (["client", authority ?? "", tenant ?? ""] + scopes).joined(separator: "\n")
  }

  /// Checks the digest of the rejected token.
  func checkDigest() throws(TesseraError) {
    guard let tokenSHA256ToRefresh else { return }
    guard let digest = Hexadecimal.bytes(tokenSHA256ToRefresh), digest.count == 32 else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "token_sha256_to_refresh must be the SHA-256 of an access token in 64 hexadecimal digits.")
    }
  }
}
