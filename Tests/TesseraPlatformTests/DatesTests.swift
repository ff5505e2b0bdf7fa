// SPDX-License-Identifier: MIT
// The dates of results.

import Foundation
import Tessera
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct DatesTests {
  private static let account = Account(
    homeAccountID: "uid.utid", environment: "login.microsoftonline.com",
    username: "alice@contoso.com")

  private func token(expiresAt date: Date) -> TokenResult {
    TokenResult(
      accessToken: Secret("eyJ0"), expiresAt: date, scopes: ["User.Read"], account: Self.account,
      authority: "https://login.microsoftonline.com/common")
  }

  @Test func `the times of a token are dates in whole seconds`() {
    let token = token(expiresAt: Date(timeIntervalSince1970: 1_800_000_000.9))
    #expect(token.expiresAt == Date(timeIntervalSince1970: 1_800_000_000))
    #expect(token.expiresOn == Instant(secondsSince1970: 1_800_000_000))
    #expect(token.refreshAt == nil && token.extendedExpiresAt == nil)
  }

  @Test func `dates out of range become the nearest time`() {
    #expect(token(expiresAt: .distantFuture).expiresAt == .distantFuture)
    let endless = token(expiresAt: Date(timeIntervalSince1970: .greatestFiniteMagnitude))
    #expect(endless.expiresOn == Instant(secondsSince1970: .max))
  }

  @Test func `the clock of a machine is a date`() {
    let clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_000.5))
    clock.advance(by: .milliseconds(2_500))
    #expect(clock.date == Date(timeIntervalSince1970: 1_002))
    clock.advance(by: .seconds(-1))
    clock.shiftWallClock(by: .seconds(-2))
    #expect(clock.date == Date(timeIntervalSince1970: 1_000))
  }

  @Test func `a claim can be a date`() {
    let claims = TokenClaims(json: #"{"auth_time": 1800000000, "name": "1800000000"}"#)
    #expect(claims?.date("auth_time") == Date(timeIntervalSince1970: 1_800_000_000))
    #expect(claims?.date("name") == nil)
  }
}
