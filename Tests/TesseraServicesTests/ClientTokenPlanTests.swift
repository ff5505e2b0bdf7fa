// SPDX-License-Identifier: MIT
// Tests of the decision of a request for a token of the application.

import TesseraCache
import TesseraEngine
import TesseraServices
import TesseraWire
import Testing

@Suite struct ClientTokenPlanTests {
  private let now = Instant(secondsSince1970: 1_000_000)
  private var clocks: Clocks { Clocks(now: now, bootTime: nil) }

  /// Returns the inputs with a token that was received some time ago and has a lifetime of one hour.
  private func inputs(age: Int64?, refreshIn: Int64? = nil) -> ClientTokenInputs {
    let token = age.map { age in
      var token = CredentialRecord(type: .accessToken, secret: Secret("test_token"))
      let receivedAt = now.adding(seconds: -age)
      token.cachedAt = receivedAt
      token.expiresAt = receivedAt.adding(seconds: 3600)
      token.refreshAt = refreshIn.map { receivedAt.adding(seconds: $0) }
      return token
    }
    return ClientTokenInputs(token: token, clocks: clocks, marginSeconds: 300)
  }

  /// Returns the plan in one word, with the reason of a request.
  private func plan(
    _ inputs: ClientTokenInputs, _ change: (inout ClientTokenInputs) -> Void = { _ in }
  ) -> String {
    var inputs = inputs
    change(&inputs)
    return switch ClientTokenPlan(inputs) {
    case .useCached: "cached"
    case .request(let reason, let fallback):
      "request \(reason.rawValue)\(fallback == nil ? "" : ", fallback")"
    case .backOff(_, let fallback): "back off\(fallback == nil ? "" : ", fallback")"
    }
  }

  @Test func `the age of the token decides`() {
    #expect(plan(inputs(age: nil)) == "request missing")
    #expect(plan(inputs(age: 0)) == "cached")
    #expect(plan(inputs(age: 3299)) == "cached")
    #expect(plan(inputs(age: 3300)) == "request expired")
    #expect(plan(inputs(age: 1799, refreshIn: 1800)) == "cached")
    #expect(plan(inputs(age: 1800, refreshIn: 1800)) == "request due, fallback")
  }

  @Test func `a claims challenge and a forced refresh need a new token`() {
    #expect(plan(inputs(age: 0)) { $0.hasClaims = true } == "request claims")
    #expect(plan(inputs(age: 0)) { $0.forcesRefresh = true } == "request forced, fallback")
    #expect(plan(inputs(age: nil)) { $0.forcesRefresh = true } == "request forced")
  }

  @Test func `a token with the digest of the rejected one is not used`() {
    let rejected = Hexadecimal.bytes(
      "cc0af97287543b65da2c7e1476426021826cab166f1e063ed012b855ff819656")
    let other = Cipher.sha256("another token")
    #expect(plan(inputs(age: 0)) { $0.rejectedDigest = rejected } == "request missing")
    #expect(plan(inputs(age: 0)) { $0.rejectedDigest = other } == "cached")
    #expect(
      plan(inputs(age: 0)) {
        $0.rejectedDigest = other
        $0.hasClaims = true
      } == "cached")
  }

  @Test func `a recorded failure delays the request, and a renewal for longer`() {
    let throttle = ThrottleRecord(
      name: "n", homeAccountID: "", clientID: "c", at: clocks, blockedForSeconds: 0,
      backoffForSeconds: 60, failures: 1, error: JSONObject())
    #expect(plan(inputs(age: nil)) { $0.throttle = throttle } == "request missing")
    #expect(
      plan(inputs(age: 1800, refreshIn: 1800)) { $0.throttle = throttle } == "back off, fallback")
    let blocked = ThrottleRecord(
      name: "n", homeAccountID: "", clientID: "c", at: clocks, blockedForSeconds: 60,
      backoffForSeconds: 60, failures: 1, error: JSONObject())
    #expect(plan(inputs(age: nil)) { $0.throttle = blocked } == "back off")
    #expect(plan(inputs(age: 0)) { $0.throttle = blocked } == "cached")
  }
}
