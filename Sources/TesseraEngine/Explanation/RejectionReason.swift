// SPDX-License-Identifier: MIT
// Why a token of the cache is not used: open, stable names, each documented in docs/explain.md.

/// Why a token of the cache is not used for a request.
///
/// The set is open: new names may be added, none changes its meaning.
public struct RejectionReason: RawRepresentable, Sendable, Hashable {
  /// The name, in snake case.
  public let rawValue: String

  /// An obstacle with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension RejectionReason {
  // Whose it is.

  /// The account has signed out of this application.
  public static let signedOut = RejectionReason("signed_out")
  /// It belongs to another account: providers other than Entra tell identifiers apart by their case.
  public static let otherAccount = RejectionReason("other_account")
  /// It was issued to another application.
  public static let otherApplication = RejectionReason("other_application")
  /// It is a refresh token of a family that this application does not belong to.
  public static let otherFamily = RejectionReason("other_family")
  /// It was issued by another cloud or another issuer.
  public static let otherEnvironment = RejectionReason("other_environment")
  /// It is for another tenant.
  public static let otherTenant = RejectionReason("other_tenant")
  /// Nobody knows yet to which tenant the authority leads.
  public static let tenantUnknown = RejectionReason("tenant_unknown")

  // What it is for.

  /// It is used in another way, such as a token that is bound to a key or a device.
  public static let otherScheme = RejectionReason("other_scheme")
  /// It was issued for other claims or client capabilities.
  public static let otherClaims = RejectionReason("other_claims")
  /// It was given for another enrolment in Intune's app protection.
  public static let otherEnrollment = RejectionReason("other_enrollment")
  /// It does not cover all of the scopes.
  public static let scopesMissing = RejectionReason("scopes_missing")

  // How long it lasts.

  /// It has expired, or does so within the margin of the configuration.
  public static let expired = RejectionReason("expired")
  /// It was received later than now: the clock was set back, and the expiry means nothing.
  public static let fromTheFuture = RejectionReason("from_the_future")
  /// The clocks disagree about its age, so it serves only if no newer one can be had.
  public static let doubtful = RejectionReason("doubtful")
  /// The server would like it refreshed by now, so it serves only if no newer one can be had.
  public static let refreshDue = RejectionReason("refresh_due")

  // What was asked for, and what has happened.

  /// A new token was asked for in so many words.
  public static let refreshForced = RejectionReason("refresh_forced")
  /// A claims challenge says that the resource refuses the token.
  public static let claimsChallenge = RejectionReason("claims_challenge")
  /// A cached access token serves, so that nothing has to be refreshed.
  public static let notNeeded = RejectionReason("not_needed")
  /// Another token serves as well, and comes first.
  public static let anotherFirst = RejectionReason("another_first")
  /// It is the same token as another one of the list, stored once more for the family.
  public static let sameToken = RejectionReason("same_token")
  /// The server replaced it in a response that was refused, so it is not sent again.
  public static let superseded = RejectionReason("superseded")
  /// The server refused it for this request a moment ago.
  public static let refusedRecently = RejectionReason("refused_recently")
  /// The same request failed a moment ago, and is not sent again yet.
  public static let failedRecently = RejectionReason("failed_recently")
}
