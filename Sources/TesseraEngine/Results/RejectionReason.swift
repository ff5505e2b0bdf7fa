// SPDX-License-Identifier: MIT
// The reasons for which a cached token is not used: open, stable names, documented in docs/explain.md.

/// The reason for which a cached token is not used for a request.
///
/// The set is open: new names may be added, and existing ones keep their meaning.
public struct RejectionReason: RawRepresentable, Sendable, Hashable {
  /// The name, in snake case.
  public let rawValue: String

  /// Creates a reason from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension RejectionReason {
  // Reasons of ownership.

  /// The account has signed out of this application.
  public static let signedOut = RejectionReason("signed_out")
  /// It belongs to another account.
  ///
  /// Providers other than Entra have case-sensitive identifiers.
  public static let otherAccount = RejectionReason("other_account")
  /// It was issued to another application.
  public static let otherApplication = RejectionReason("other_application")
  /// It is a refresh token of a family that this application does not belong to.
  public static let otherFamily = RejectionReason("other_family")
  /// It was issued by another cloud or another issuer.
  public static let otherEnvironment = RejectionReason("other_environment")
  /// It is for another tenant.
  public static let otherTenant = RejectionReason("other_tenant")
  /// The tenant of the authority is not resolved yet.
  public static let tenantUnknown = RejectionReason("tenant_unknown")

  // Reasons of purpose.

  /// It has another token type, such as a token that is bound to a key or a device.
  public static let otherScheme = RejectionReason("other_scheme")
  /// It was issued for other claims or client capabilities.
  public static let otherClaims = RejectionReason("other_claims")
  /// It was issued for another enrollment in Intune app protection.
  public static let otherEnrollment = RejectionReason("other_enrollment")
  /// It does not cover all of the scopes.
  public static let scopesMissing = RejectionReason("scopes_missing")

  // Reasons of lifetime.

  /// It has expired, or expires within the margin of the configuration.
  public static let expired = RejectionReason("expired")
  /// It was received after the current time: the clock was set back, so the expiry time is unreliable.
  public static let fromTheFuture = RejectionReason("from_the_future")
  /// The clocks disagree about its age, so it is returned only if no newer one can be acquired.
  public static let doubtful = RejectionReason("doubtful")
  /// The server recommends a refresh by now, so it is returned only if no newer one can be acquired.
  public static let refreshDue = RejectionReason("refresh_due")

  // Reasons of the request and of earlier requests.

  /// The caller forced a refresh.
  public static let refreshForced = RejectionReason("refresh_forced")
  /// A claims challenge states that the resource rejects the token.
  public static let claimsChallenge = RejectionReason("claims_challenge")
  /// A cached access token is sufficient, so no refresh is needed.
  public static let notNeeded = RejectionReason("not_needed")
  /// Another suitable token is preferred.
  public static let anotherFirst = RejectionReason("another_first")
  /// It is a copy of another token in the list, stored for the family.
  public static let sameToken = RejectionReason("same_token")
  /// The server replaced it in a response that failed validation, so it is not sent again.
  public static let superseded = RejectionReason("superseded")
  /// The server rejected it for this request recently.
  public static let refusedRecently = RejectionReason("refused_recently")
  /// The same request failed recently and is not repeated yet.
  public static let failedRecently = RejectionReason("failed_recently")
}
