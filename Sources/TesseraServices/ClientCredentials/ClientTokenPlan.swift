// SPDX-License-Identifier: MIT
// The decision of a request for a token of the application.

package import TesseraCache
package import TesseraEngine
package import TesseraWire

/// The next step of a request for a token of the application.
package enum ClientTokenPlan: Sendable {
  /// Return a cached token.
  case useCached(CachedToken)
  /// Request a new token.
  ///
  /// If that fails, return the fallback.
  case request(RefreshReason, fallback: CachedToken?)
  /// Send no request, because the same request failed recently.
  ///
  /// Return the fallback, or throw the recorded error.
  case backOff(ThrottleRecord, fallback: CachedToken?)
}

/// The inputs of the decision.
package struct ClientTokenInputs: Sendable {
  /// The cached token that covers the scopes and expires last.
  package var token: CredentialRecord?
  package var clocks: Clocks
  package var marginSeconds: Int64
  /// Whether the request has claims.
  package var hasClaims = false
  package var forcesRefresh = false
  /// The time of the request; `nil` if boot-time clocks of different processes are not comparable on this machine.
  package var requestedAt: BootTime?
  /// The SHA-256 of the token that a resource rejected.
  package var rejectedDigest: [UInt8]?
  /// The recorded failure of the same request.
  package var throttle: ThrottleRecord?

  package init(token: CredentialRecord?, clocks: Clocks, marginSeconds: Int64) {
    self.token = token
    self.clocks = clocks
    self.marginSeconds = marginSeconds
  }
}

extension ClientTokenPlan {
  /// Decides the next step.
  package init(_ inputs: ClientTokenInputs) {
    let token = inputs.usableToken
    let times = token.map {
      TokenExpiry($0, at: inputs.clocks, marginSeconds: inputs.marginSeconds)
    }
    var valid: CachedToken?
    if let token, let times, times.verdict != .expired {
      valid = CachedToken(accessToken: token, idToken: nil, secondsLeft: times.secondsLeft)
    }
    let reason = inputs.refreshReason(token, times)
    if reason == nil, let valid {
      self = .useCached(valid)
      return
    }
    let needed = reason ?? .missing
    let fallback = inputs.isEveryTokenRejected ? nil : valid
    if let throttle = inputs.throttle, throttle.isActive(for: needed, at: inputs.clocks) {
      self = .backOff(throttle, fallback: fallback)
    } else {
      self = .request(needed, fallback: fallback)
    }
  }
}

extension ClientTokenInputs {
  /// The cached token, unless a resource rejected it.
  fileprivate var usableToken: CredentialRecord? {
    guard let token, rejectedDigest != Cipher.sha256(token.secret.reveal()) else { return nil }
    return token
  }

  /// Whether the resource rejects every cached token, because its claims challenge identifies none.
  fileprivate var isEveryTokenRejected: Bool { hasClaims && rejectedDigest == nil }

  fileprivate func refreshReason(
    _ token: CredentialRecord?, _ times: TokenExpiry?
  ) -> RefreshReason? {
    guard let token, let times else { return forcesRefresh ? .forced : .missing }
    if isEveryTokenRejected { return .claims }
    if forcesRefresh, !satisfiesForcedRefresh(token) { return .forced }
    return switch times.verdict {
    case .expired: .expired
    case .doubtful: .doubtful
    case .usable: times.isDue ? .due : nil
    }
  }

  /// Returns whether a token is from a request that began after this one.
  private func satisfiesForcedRefresh(_ token: CredentialRecord) -> Bool {
    guard let requestedAt, let began = token.refreshBegan else { return false }
    return began.isAfter(requestedAt)
  }
}

extension ThrottleRecord {
  /// Whether a request for a reason must not be sent yet.
  fileprivate func isActive(for reason: RefreshReason, at clocks: Clocks) -> Bool {
    (reason.isOptional ? backoffSeconds(at: clocks) : blockedSeconds(at: clocks)) > 0
  }
}
