// SPDX-License-Identifier: MIT
// Issued device codes (RFC 8628).

import TesseraWire

/// A device authorization.
struct DeviceGrant: Sendable {
  /// The state of the authorization.
  enum Decision: Sendable, Equatable {
    case pending
    case approved(LocalUser)
    case declined
    case redeemed
  }

  /// The device code, with which the device polls.
  let deviceCode: String
  /// The code that the user enters.
  let userCode: String
  /// The client ID of the application.
  let clientID: String
  /// The requested scopes.
  let scopes: Scopes
  /// The issuer.
  let issuer: Issuer
  /// The time at which the codes expire.
  var expiresAt: Instant
  /// The minimum interval between two polls, in seconds.
  var intervalSeconds: Int64
  /// The time of the last poll.
  var lastPollAt: Instant?
  /// The state of the authorization.
  var decision = Decision.pending
}

/// The device authorizations, including recently expired ones.
struct DeviceGrants: Sendable {
  private var grants: [DeviceGrant] = []

  /// Adds an authorization, and removes those that expired more than an hour ago.
  mutating func add(_ grant: DeviceGrant, at now: Instant) {
    grants.removeAll { now.seconds(since: $0.expiresAt) > 3600 }
    grants.append(grant)
  }

  /// Returns the pending authorizations.
  func pending(at now: Instant) -> [DeviceGrant] {
    grants.filter { $0.decision == .pending && now < $0.expiresAt }
  }

  /// Returns the pending authorization with a user code, ignoring case and the hyphen; nil if there is none.
  func pending(userCode: String, at now: Instant) -> DeviceGrant? {
    pending(at: now).first { UserCode.matches($0.userCode, userCode) }
  }

  /// Changes the pending authorization with a user code.
  ///
  /// Returns false if there is none.
  mutating func change(
    userCode: String, at now: Instant, _ change: (inout DeviceGrant) -> Void
  ) -> Bool {
    guard let deviceCode = pending(userCode: userCode, at: now)?.deviceCode,
      let index = grants.firstIndex(where: { $0.deviceCode == deviceCode })
    else { return false }
    change(&grants[index])
    return true
  }

  /// Redeems a device code once: returns the approving user and the authorization.
  mutating func redeem(
    deviceCode: String, clientID: String, issuer: Issuer, at now: Instant
  ) throws(ErrorResponse) -> (user: LocalUser, grant: DeviceGrant) {
    guard
      let index = grants.firstIndex(where: {
        $0.deviceCode == deviceCode && $0.clientID == clientID && $0.issuer == issuer
      })
    else { throw .unknownDeviceCode }
    let grant = grants[index]
    if grant.decision == .redeemed { throw .redeemedCode }
    if now >= grant.expiresAt { throw .expiredDeviceCode }
    switch grant.decision {
    case .approved(let user):
      grants[index].decision = .redeemed
      return (user, grant)
    case .declined: throw .declined
    case .pending, .redeemed: throw grants[index].pollError(at: now)
    }
  }
}

extension DeviceGrant {
  /// Returns the error for a poll before the decision (RFC 8628 section 3.5): pending, or polling too fast.
  fileprivate mutating func pollError(at now: Instant) -> ErrorResponse {
    defer { lastPollAt = now }
    guard let lastPollAt, now.seconds(since: lastPollAt) < intervalSeconds else {
      return .authorizationPending
    }
    // RFC 8628 section 3.5: slow_down adds five seconds to the interval.
    intervalSeconds += 5
    return .slowDown
  }
}

/// The code that a user reads on one device and types on another.
enum UserCode {
  /// RFC 8628 section 6.1: consonants only, so that no words result and no digit resembles a letter.
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

  /// Creates a code such as `WDJB-MJHT`.
  static func make(_ bytes: some Sequence<UInt8>) -> String {
    let letters = bytes.map { alphabet[Int($0) % alphabet.count] }
    return String(letters.prefix(4)) + "-" + String(letters.dropFirst(4).prefix(4))
  }

  /// Whether typed text matches a code, ignoring case and the hyphen.
  static func matches(_ code: String, _ typed: String) -> Bool {
    let letters = typed.uppercased().filter { $0.isASCII && $0.isLetter }
    return code.filter { $0 != "-" } == letters
  }
}
