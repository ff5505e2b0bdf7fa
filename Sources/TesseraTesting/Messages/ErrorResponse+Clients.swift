// SPDX-License-Identifier: MIT
// The errors of client authentication, and of the grants for services.

import TesseraWire

/// Errors of client authentication (RFC 6749 section 5.2), with the numbers and texts of Entra.
extension ErrorResponse {
  private static func client(_ serverCode: Int64, _ description: String) -> ErrorResponse {
    ErrorResponse("invalid_client", serverCode, description, status: 401)
  }

  static let credentialRequired = client(
    7_000_218,
    "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.")
  static let credentialOfPublicClient = client(
    700_025,
    "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.")
  static let malformedAuthorization = client(
    7_000_215, "The header field Authorization has no valid Basic credentials.")
  static let severalCredentials = ErrorResponse(
    "invalid_request", 9_002_313, "The request contains more than one client credential.")
  static let differentClientIDs = ErrorResponse(
    "invalid_request", 9_002_313, "The request contains two different client IDs.")
  static let unsupportedAssertionType = ErrorResponse(
    "invalid_request", 50027, "The client_assertion_type is not supported.")

  static func wrongSecret(_ clientID: String) -> ErrorResponse {
    client(
      7_000_215,
      "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, "
        + "not the client secret ID, for a secret added to app '\(clientID.plain(atMost: 100))'.")
  }

  static func methodNotAccepted(_ method: String) -> ErrorResponse {
    client(7_000_218, "The authentication method \(method) is not accepted.")
  }

  static func unknownApplication(_ clientID: String, at issuer: Issuer) -> ErrorResponse {
    ErrorResponse(
      "unauthorized_client", 700_016,
      "Application with identifier '\(clientID.plain(atMost: 100))' was not found in the directory "
        + "'\(issuer.name)'.")
  }
}

extension ErrorResponse {
  static let malformedAssertion = client(50027, "JWT token is invalid or malformed.")
  static let otherAssertionSubject = client(
    700_021, "Client assertion application identifier doesn't match 'client_id' parameter.")
  static let otherAssertionAudience = client(
    700_023, "Client assertion audience claim does not match Realm issuer.")
  static let assertionWithoutExpiry = client(
    50027, "JWT token is invalid or malformed. The claim 'exp' is missing.")
  static let assertionTimeFormat = client(
    50027, "JWT token is invalid or malformed. The claims 'exp' and 'nbf' must be integers.")
  static let assertionWithoutID = client(
    50027, "JWT token is invalid or malformed. The claim 'jti' is missing.")
  static let replayedAssertion = client(
    50027, "The client assertion was already used: its 'jti' must be unique.")
  static let wrongAssertionSignature = client(
    7_000_274, "Client assertion contains an invalid signature.")
  static let certificateNotValid = client(
    1_000_502, "The provided certificate is not within its specified validity time range.")

  static func unknownKey(_ thumbprint: String) -> ErrorResponse {
    client(
      700_027,
      "The certificate with identifier used to sign the client assertion is not registered on application. "
        + "[Reason - The key was not found., Thumbprint of key used by client: "
        + "'\(thumbprint.plain(atMost: 100))'].")
  }

  static func foreignAssertion(_ issuer: String) -> ErrorResponse {
    client(
      700_211,
      "No matching federated identity record found for presented assertion issuer "
        + "'\(issuer.plain(atMost: 200))'. Check your federated identity credential Subject, Audience and Issuer "
        + "against the presented assertion.")
  }

  static func assertionNotValid(now: Instant, from: Instant?, until: Instant) -> ErrorResponse {
    client(
      700_024,
      "Client assertion is not within its valid time range. Current time: \(now), "
        + "assertion valid from \(from?.description ?? "-"), expiry time of assertion \(until).")
  }
}

/// Errors of the client credentials grant.
extension ErrorResponse {
  static let noTenant = ErrorResponse(
    "invalid_request", 50059,
    "No tenant-identifying information found in either the request or implied by any provided credentials."
  )

  static func notDefaultScope(_ scope: String) -> ErrorResponse {
    ErrorResponse(
      "invalid_scope", 1_002_012,
      "The provided value for scope \(scope.plain(atMost: 200)) is not valid. Client credential flows must have "
        + "a scope value with /.default suffixed to the resource identifier (application ID URI).")
  }
}

/// Errors of the on-behalf-of grant.
extension ErrorResponse {
  static let unsupportedTokenUse = ErrorResponse(
    "invalid_request", 900_382, "The requested_token_use must be 'on_behalf_of'.")
  static let malformedUserAssertion = ErrorResponse(
    "invalid_grant", 50027, "JWT token is invalid or malformed.")
  static let wrongUserAssertionSignature = ErrorResponse(
    "invalid_grant", 50013,
    "Assertion failed signature validation. [Reason - The provided signature value did not match the expected "
      + "signature value.]")
  static let expiredUserAssertion = ErrorResponse(
    "invalid_grant", 500_133,
    "Assertion is not within its valid time range. Ensure that the access token is not expired before using it "
      + "for user assertion, or request a new token.")

  static func otherUserAssertionAudience(_ audience: String, _ clientID: String) -> ErrorResponse {
    ErrorResponse(
      "invalid_grant", 500_131,
      "Assertion audience does not match the Client app presenting the assertion. The audience in the assertion "
        + "was '\(audience.plain(atMost: 100))' and the expected audience is "
        + "'\(clientID.plain(atMost: 100))'.")
  }

  /// Returns the error of a resource that requires an authentication context.
  static func stepUpRequired(_ context: String, for resource: String) -> ErrorResponse {
    var error = ErrorResponse(
      "interaction_required", 50076,
      "Due to a configuration change made by your administrator, or because you moved to a new location, you must "
        + "use multi-factor authentication to access '\(resource.plain(atMost: 200))'.",
      suberror: "basic_action")
    let claims: JSONValue = [
      "access_token": ["acrs": ["essential": true, "value": .string(context)]]
    ]
    error.claims = claims.serialized
    return error
  }
}
