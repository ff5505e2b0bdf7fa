// SPDX-License-Identifier: MIT
// What a silent call would do, and why, with every token it could use.

import TesseraCache
import TesseraWire

/// What a silent call would do, and why.
///
/// See ``PublicClientApplication/explain(_:)``. There is no token in it, so it may be logged.
public struct Explanation: Sendable {
  /// What a silent call does first.
  public enum Decision: String, Sendable {
    /// Hand out a cached token.
    case use
    /// Ask the identity broker; what follows if it does not help depends on the policy.
    case broker
    /// Redeem a refresh token.
    case refresh
    /// Ask nobody, because the same request failed a moment ago; a fallback is handed out if there is one.
    case pause
    /// Nothing: only the user can continue.
    case signIn = "sign_in"
    /// Nothing more: the user has just signed in.
    case signedIn = "signed_in"
  }

  /// What the call does.
  public let decision: Decision
  /// Why: `valid` for a token that is used, the occasion of a refresh, or the code of the error otherwise.
  ///
  /// After a sign-in it is how the person signed in, such as `device_code`.
  /// The occasions are `missing`, `expired`, `due`, `doubtful`, `forced` and `claims`.
  public let reason: String
  /// The error of the call, if it would fail without asking anybody but the broker, or fall back because of it.
  public let error: TesseraError?
  /// The account that was asked for.
  public let homeAccountID: String
  /// The authority that was asked for.
  public let authority: String
  /// The tenant to which the authority leads for this account; nil if nobody knows it yet, empty if there are none.
  public let tenantID: String?
  /// The hosts of the cloud, or the issuer, under which tokens are looked for.
  public let environments: [String]
  /// The scopes that were asked for.
  public let scopes: [String]
  /// Every access token and refresh token that the store has of the account: those that are used first.
  public let candidates: [TokenCandidate]
  /// Where the tokens are kept.
  public let store: StoreKind
  /// How long it took to read the store and to decide, in microseconds.
  public let readMicroseconds: Int64
  /// How long servers were asked, in microseconds; nil in a dry run.
  public internal(set) var networkMicroseconds: Int64?
  /// What became of asking brokers; empty in a dry run, and where none was to be asked.
  public internal(set) var brokers: [BrokerVisit] = []
  /// How long the whole call took, in microseconds, waiting for others included; nil in a dry run.
  public internal(set) var totalMicroseconds: Int64?

  /// What a sign-in with a device code has brought.
  init(signIn result: TokenResult, _ authority: Authority, _ asked: Scopes, store: StoreKind) {
    (decision, reason, error) = (.signedIn, "device_code", nil)
    homeAccountID = result.account.homeAccountID
    self.authority = authority.text
    tenantID = result.tenantID
    environments = [result.account.environment]
    scopes = asked.list
    candidates = []
    self.store = store
    readMicroseconds = 0
  }

  package init(
    _ inputs: SilentInputs, _ plan: SilentPlan, refusal: TesseraError? = nil, authority: Authority,
    store: StoreKind, asksBroker: Bool = false, readMicroseconds: Int64
  ) {
    switch plan {
    case .refresh(_, _, let why) where asksBroker:
      (decision, reason, error) = (.broker, why.rawValue, nil)
    case .signIn where asksBroker:
      (decision, reason, error) = (.broker, RefreshReason.missing.rawValue, nil)
    case .use: (decision, reason, error) = (.use, "valid", nil)
    case .refresh(_, _, let why): (decision, reason, error) = (.refresh, why.rawValue, nil)
    case .pause(let record, _):
      let failure = TesseraError.remembered(record, at: inputs.clocks)
      decision = asksBroker ? .broker : .pause
      (reason, error) = (failure.code.rawValue, failure)
    case .signIn(let problem):
      let failure = refusal ?? TesseraError(absence: inputs.snapshot.condition, problem)
      (decision, reason, error) = (.signIn, failure.code.rawValue, failure)
    }
    homeAccountID = inputs.homeAccountID
    self.authority = authority.text
    tenantID = inputs.realm
    var seen: Set<String> = []
    environments = inputs.environments.filter { seen.insert($0).inserted }
    scopes = inputs.scopes.list
    candidates = inputs.candidates(of: plan)
    self.store = store
    self.readMicroseconds = readMicroseconds
  }
}

extension Explanation {
  /// A sentence that says what the call does.
  public var message: String {
    switch decision {
    case .use: "A cached token is handed out."
    case .broker: "\(occasion), so the identity broker is asked."
    case .refresh: "\(occasion), so a refresh token is redeemed."
    case .pause:
      candidates.contains { $0.role == .fallback }
        ? "The same request failed a moment ago, so a token that is still valid is handed out."
        : error?.message ?? ""
    case .signIn: error?.message ?? ""
    case .signedIn: "The person has signed in on another device."
    }
  }

  private var occasion: String {
    guard error == nil else { return "The same request to the server failed a moment ago" }
    return switch reason {
    case RefreshReason.forced.rawValue: "A new token was asked for"
    case RefreshReason.claims.rawValue: "A claims challenge refuses the cached token"
    case RefreshReason.expired.rawValue: "The cached token has expired"
    case RefreshReason.due.rawValue: "The server wants the token refreshed by now"
    case RefreshReason.doubtful.rawValue: "The clocks disagree about the cached token"
    default: "No cached token serves"
    }
  }
}
