// SPDX-License-Identifier: MIT
// The explanation of a silent call.

package import TesseraCache
package import TesseraWire

/// The explanation of a silent call: its decision and the reason.
///
/// See ``PublicClientApplication/explain(_:cancellation:)``. It contains no token, so it may be logged.
public struct Explanation: Sendable {
  /// The first step of a silent call.
  public enum Decision: String, Sendable {
    /// Return a cached token.
    case use
    /// Send a request to the identity broker.
    ///
    /// If that fails, the next step depends on the policy.
    case broker
    /// Redeem a refresh token.
    case refresh
    /// Send no request, because the same request failed recently.
    ///
    /// Return a fallback token if there is one.
    case pause
    /// Throw an error; the user must sign in interactively.
    case signIn = "sign_in"
    /// Return the token of the sign-in that has just succeeded.
    case signedIn = "signed_in"
  }

  /// The first step of the call.
  public let decision: Decision
  /// The reason: `valid` for a cached token, the reason of a refresh, or otherwise the code of the error.
  ///
  /// The reasons of a refresh are `missing`, `expired`, `due`, `doubtful`, `forced` and `claims`. After a sign-in, it is
  /// the flow that was used, such as `device_code`.
  public let reason: String
  /// The error that the call would throw, or for which it would return a fallback token or the token for the granted
  /// scopes, without sending a request.
  public let error: TesseraError?
  /// The requested account.
  public let homeAccountID: String
  /// The requested authority.
  public let authority: String
  /// The tenant of the authority for this account; `nil` if it is not resolved yet, empty if the provider has no tenants.
  public let tenantID: String?
  /// The hosts of the cloud, or the issuer, that are searched for tokens.
  public let environments: [String]
  /// The requested scopes.
  public let scopes: [String]
  /// All access tokens and refresh tokens of the account in the store, in order of preference.
  public let candidates: [TokenCandidate]
  /// The kind of token store.
  public let store: StoreKind
  /// The time to read the store and to decide, in microseconds.
  let readMicroseconds: Int64
  /// The total time of the HTTP requests, in microseconds; `nil` in a dry run.
  package var networkMicroseconds: Int64?
  /// The results of the broker requests; empty in a dry run, and if there were none.
  public var brokers: [BrokerVisit] = []
  /// The total time of the call including waits, in microseconds; `nil` in a dry run.
  package var totalMicroseconds: Int64?

  /// Creates an explanation, such as for a test.
  public init(
    decision: Decision, reason: String, error: TesseraError? = nil, homeAccountID: String,
    authority: String, tenantID: String? = nil, environments: [String] = [], scopes: [String],
    candidates: [TokenCandidate] = [], store: StoreKind = .sqlite
  ) {
    self.decision = decision
    self.reason = reason
    self.error = error
    self.homeAccountID = homeAccountID
    self.authority = authority
    self.tenantID = tenantID
    self.environments = environments
    self.scopes = scopes
    self.candidates = candidates
    self.store = store
    readMicroseconds = 0
  }

  /// Creates the explanation of a sign-in with a device code.
  init(
    signIn result: TokenResult, _ authority: Authority, _ requestedScopes: Scopes, store: StoreKind
  ) {
    (decision, reason, error) = (.signedIn, "device_code", nil)
    homeAccountID = result.account.homeAccountID
    self.authority = authority.text
    tenantID = result.tenantID
    environments = [result.account.environment]
    scopes = requestedScopes.list
    candidates = []
    self.store = store
    readMicroseconds = 0
  }
}

extension Explanation {
  /// The time to read the store and to decide.
  public var readTime: Duration { .microseconds(readMicroseconds) }
  /// The total time of the HTTP requests; `nil` in a dry run.
  public var networkTime: Duration? { networkMicroseconds.map { .microseconds($0) } }
  /// The total time of the call including waits; `nil` in a dry run.
  public var totalTime: Duration? { totalMicroseconds.map { .microseconds($0) } }

  /// A sentence that describes the decision.
  public var message: String {
    switch decision {
    case .use: "A cached token is returned."
    case .broker: "\(refreshReasonText), so the token is requested from the identity broker."
    case .refresh: "\(refreshReasonText), so a refresh token is redeemed."
    case .pause:
      candidates.contains { $0.role == .fallback }
        ? "The same request failed recently, so a cached token that is still valid is returned."
        : error?.message ?? ""
    case .signIn: error?.message ?? ""
    case .signedIn: "The user has signed in on another device."
    }
  }

  private var refreshReasonText: String {
    guard error == nil else { return "The same request to the server failed recently" }
    return switch reason {
    case RefreshReason.forced.rawValue: "A new token was requested"
    case RefreshReason.claims.rawValue: "A claims challenge rejects the cached token"
    case RefreshReason.expired.rawValue: "The cached token has expired"
    case RefreshReason.due.rawValue: "The refresh time of the cached token has passed"
    case RefreshReason.doubtful.rawValue:
      "A clock change makes the validity of the cached token uncertain"
    default: "No cached token covers the request"
    }
  }
}

/// The reason for a refresh.
///
/// The raw values are part of the JSON interface (docs/explain.md) and must not change.
package enum RefreshReason: String, Sendable {
  case forced
  case claims
  case missing
  case expired
  case due
  case doubtful

  /// Whether the cached token is still usable, so that the caller need not wait for a new one.
  package var isOptional: Bool { self == .due || self == .doubtful }
}

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

/// A cached token of the account that a request could use, with the reasons for its rejection.
public struct TokenCandidate: Sendable, Hashable {
  /// The use of a token by a request.
  public enum Role: String, Sendable {
    /// It is returned, or redeemed first.
    case used
    /// It is returned, or redeemed, if the preferred token fails.
    case fallback
    /// It is not used.
    case notUsed = "not_used"
  }

  /// The credential type in the store, such as `AccessToken` or `RefreshToken`.
  public let credentialType: String
  /// The client ID of the application to which it was issued.
  public let clientID: String
  /// The family of applications that may redeem it; `nil` for none.
  public let familyID: String?
  /// The cloud or the issuer.
  public let environment: String
  /// The tenant of an access token; `nil` for a refresh token, which is valid for all tenants.
  public let tenantID: String?
  /// The scopes of an access token.
  public let scopes: [String]
  /// The requested scopes that an access token lacks.
  public let missingScopes: [String]
  /// The time of receipt; `nil` if it is unknown.
  package let cachedOn: Instant?
  /// The expiry time; `nil` if it is unknown.
  package let expiresOn: Instant?
  /// The time from which the server recommends a refresh; `nil` if the server did not send it.
  package let refreshOn: Instant?
  /// The use of the token by the request.
  public let role: Role
  /// The reasons for which it is not used, or not preferred; empty for a used token.
  public let obstacles: [RejectionReason]

  /// Creates a candidate without times.
  public init(
    credentialType: String, clientID: String, familyID: String? = nil, environment: String,
    tenantID: String? = nil, scopes: [String] = [], missingScopes: [String] = [], role: Role,
    obstacles: [RejectionReason] = []
  ) {
    self.credentialType = credentialType
    self.clientID = clientID
    self.familyID = familyID
    self.environment = environment
    self.tenantID = tenantID
    self.scopes = scopes
    self.missingScopes = missingScopes
    self.role = role
    self.obstacles = obstacles
    (cachedOn, expiresOn, refreshOn) = (nil, nil, nil)
  }

  /// Creates a candidate from a record.
  package init(
    _ record: CredentialRecord, missing: Scopes, role: Role, obstacles: [RejectionReason]
  ) {
    credentialType = record.type.name
    clientID = record.clientID
    familyID = record.familyID
    environment = record.environment
    tenantID = record.type.isRefreshToken ? nil : record.realm
    scopes = record.scopes.list
    missingScopes = missing.list
    cachedOn = record.cachedAt
    expiresOn = record.expiresAt
    refreshOn = record.refreshAt
    self.role = role
    self.obstacles = obstacles
  }
}
