// SPDX-License-Identifier: MIT
// The explanation of a silent call: the decision, its reason and all candidate tokens.

import TesseraWire

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
