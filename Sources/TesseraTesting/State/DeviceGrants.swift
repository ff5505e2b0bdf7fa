// SPDX-License-Identifier: MIT
// Device codes between the request of a device and its last poll (RFC 8628).

import TesseraWire

/// A device that waits for a person.
struct DeviceGrant: Sendable {
  /// What became of the request.
  enum Decision: Sendable, Equatable {
    case pending
    case approved(LocalUser)
    case declined
    case redeemed
  }

  /// The code the device polls with.
  let deviceCode: String
  /// The code the person enters.
  let userCode: String
  /// The application.
  let clientID: String
  /// What is asked for.
  let scopes: Scopes
  /// Where it is asked.
  let issuer: Issuer
  /// When the codes stop working.
  var expiresAt: Instant
  /// Seconds between two polls.
  var intervalSeconds: Int64
  /// When the device polled last.
  var lastPollAt: Instant?
  /// What became of the request.
  var decision = Decision.pending
}

/// The devices that wait, or waited a while ago.
struct DeviceGrants: Sendable {
  private var grants: [DeviceGrant] = []

  /// Adds a device and forgets those whose codes expired an hour ago.
  mutating func add(_ grant: DeviceGrant, at now: Instant) {
    grants.removeAll { now.seconds(since: $0.expiresAt) > 3600 }
    grants.append(grant)
  }

  /// The devices that wait for a person.
  func pending(at now: Instant) -> [DeviceGrant] {
    grants.filter { $0.decision == .pending && now < $0.expiresAt }
  }

  /// The device that waits behind a user code, written in whatever case, with or without the dash.
  func pending(userCode: String, at now: Instant) -> DeviceGrant? {
    pending(at: now).first { UserCode.matches($0.userCode, userCode) }
  }

  /// Changes the device that waits behind a user code; false if there is none.
  mutating func change(
    userCode: String, at now: Instant, _ change: (inout DeviceGrant) -> Void
  ) -> Bool {
    guard let deviceCode = pending(userCode: userCode, at: now)?.deviceCode,
      let index = grants.firstIndex(where: { $0.deviceCode == deviceCode })
    else { return false }
    change(&grants[index])
    return true
  }

  /// Answers a poll: the person who approved and the device, once.
  mutating func redeem(
    deviceCode: String, clientID: String, issuer: Issuer, at now: Instant
  ) throws(Refusal) -> (user: LocalUser, grant: DeviceGrant) {
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
    case .pending, .redeemed: throw grants[index].tooEarly(at: now)
    }
  }
}

extension DeviceGrant {
  /// Why a poll gets nothing yet (RFC 8628 section 3.5): too early, or too early and too quick.
  fileprivate mutating func tooEarly(at now: Instant) -> Refusal {
    defer { lastPollAt = now }
    guard let lastPollAt, now.seconds(since: lastPollAt) < intervalSeconds else {
      return .authorizationPending
    }
    // RFC 8628 section 3.5: slow_down adds five seconds to every later wait.
    intervalSeconds += 5
    return .slowDown
  }
}

/// The code that a person reads in one place and types in another.
enum UserCode {
  /// RFC 8628 section 6.1: letters without vowels, so that no words come out and no digit looks like a letter.
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

  /// A code such as `WDJB-MJHT`.
  static func make(_ bytes: some Sequence<UInt8>) -> String {
    let letters = bytes.map { alphabet[Int($0) % alphabet.count] }
    return String(letters.prefix(4)) + "-" + String(letters.dropFirst(4).prefix(4))
  }

  /// Whether somebody typed a code, in whatever case, with or without the dash.
  static func matches(_ code: String, _ typed: String) -> Bool {
    let letters = typed.uppercased().filter { $0.isASCII && $0.isLetter }
    return code.filter { $0 != "-" } == letters
  }
}
