// SPDX-License-Identifier: MIT
// A rejected token response with a refresh token: neither the old nor the new token is sent afterwards.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct RejectedResponseTests {
  /// The reasons for rejecting a response.
  enum Fault: String, CaseIterable, Sendable {
    case damagedIDToken, otherIssuer, otherAudience, otherAccount, otherTokenType
  }

  /// The refresh token in the rejected response.
  enum ReplacementToken: String, CaseIterable, Sendable {
    case new, same, none
  }

  /// A transport with invalid responses to refreshes.
  private struct Refused: Transport {
    let network: LocalTransport
    let fault: Fault
    var successor = ReplacementToken.new

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      let form = FormFields(decoding: String(decoding: request.body, as: UTF8.self))
      let response = try network.send(request, within: limits)
      guard form["grant_type"] == "refresh_token", var json = response.json else {
        return response
      }
      switch fault {
      case .damagedIDToken: json["id_token"] = "a.b.c"
      case .otherIssuer: json["id_token"] = changed(json["id_token"], "iss", "https://evil.example")
      case .otherAudience: json["id_token"] = changed(json["id_token"], "aud", "evil")
      case .otherAccount: json["id_token"] = changed(json["id_token"], "sub", "mallory")
      case .otherTokenType: json["token_type"] = "pop"
      }
      switch successor {
      case .new: json["refresh_token"] = "SUCCESSOR"
      case .same: json["refresh_token"] = form["refresh_token"].map(JSONValue.string)
      case .none: json["refresh_token"] = nil
      }
      return .json(.object(json), status: response.status)
    }

    private func changed(_ token: JSONValue?, _ name: String, _ value: JSONValue) -> JSONValue {
      let parts = (token?.string ?? "").split(separator: ".").map(String.init)
      guard parts.count == 3, let bytes = Base64URL.decode(parts[1][...]),
        var claims = (try? JSONValue(parsing: bytes))?.object
      else { return "a.b.c" }
      claims[name] = value
      let body = Base64URL.encode(JSONValue.object(claims).bytes)
      return .string([parts[0], body, parts[2]].joined(separator: "."))
    }
  }

  private let bench = TestBench()

  private func forced(_ account: Account) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = true
    return request
  }

  private func refreshTokens() throws -> [CredentialRecord] {
    var selection = SnapshotSelection()
    selection.everything = true
    return try bench.store.snapshot(selection, within: .none).credentials
      .filter(\.type.isRefreshToken)
  }

  private func isSent(_ secret: String) -> Bool {
    bench.transport.requests.contains {
      String(decoding: $0.body, as: UTF8.self).contains(secret)
    }
  }

  /// Signs in, and makes one refresh fail with a rejected response.
  private func refused(
    _ fault: Fault, _ successor: ReplacementToken = .new, issuer: String? = "main"
  ) throws -> Account {
    let account = try bench.signIn(bench.application(issuer: issuer)).account
    let unlucky = try bench.application(
      issuer: issuer,
      transport: Refused(network: bench.transport, fault: fault, successor: successor))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(forced(account)) }
    return account
  }

  @Test(arguments: Fault.allCases)
  func `after a rejected response with a new refresh token, the user must sign in`(
    _ fault: Fault
  ) throws {
    let account = try refused(fault)
    let sent = bench.transport.requests.count
    for _ in 0..<2 {
      // Each application represents a process that shares only the store.
      let error = #expect(throws: TesseraError.self) {
        try bench.application(issuer: "main").acquireTokenSilent(forced(account))
      }
      #expect(error?.remedy == .signIn)
      #expect(error?.message.contains("replaced") == true)
    }
    #expect(bench.transport.requests.count == sent)
    #expect(!isSent("SUCCESSOR"))
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test(arguments: Fault.allCases)
  func `a refresh token in a rejected response replaces nothing`(_ fault: Fault) throws {
    let account = try bench.signIn(bench.application(issuer: "main")).account
    let before = try refreshTokens().map(\.secret)
    let unlucky = try bench.application(
      issuer: "main", transport: Refused(network: bench.transport, fault: fault))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(forced(account)) }
    let after = try refreshTokens()
    #expect(after.map(\.secret) == before)
    #expect(after.map { $0.members["tessera_unverified"]?.string } == ["SUCCESSOR"])
    // Other libraries read the record as before.
    let plain = after.map { $0.members.members.filter { !$0.name.hasPrefix("tessera_") } }
    #expect(plain.allSatisfy { $0.contains { $0.name == "secret" } })
  }

  @Test(arguments: Fault.allCases)
  func `a cached access token remains usable`(_ fault: Fault) throws {
    let account = try refused(fault)
    var request = forced(account)
    request.forcesRefresh = false
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(request).source == .cache)
    #expect(try other.accounts().map(\.homeAccountID) == [account.homeAccountID])
  }

  @Test(arguments: Fault.allCases)
  func `after a new sign-in, refreshes succeed`(_ fault: Fault) throws {
    let account = try refused(fault)
    try bench.signIn(bench.application(issuer: "main"))
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    #expect(!isSent("SUCCESSOR"))
  }

  @Test(arguments: Fault.allCases, [ReplacementToken.same, .none])
  func `a refresh token that the server kept is sent again`(
    _ fault: Fault, _ successor: ReplacementToken
  ) throws {
    try bench.provider.perform(.set([.rotation(false)]))
    let account = try refused(fault, successor)
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    #expect(try refreshTokens().allSatisfy { $0.members["tessera_unverified"] == nil })
  }

  @Test func `every copy of the token in a family is marked as replaced`() throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let account = try refused(.otherAudience, issuer: nil)
    #expect(try refreshTokens().count == 2)
    let sent = bench.transport.requests.count
    for client in ["client", "sibling"] {
      expect(.interactionRequired) {
        _ = try bench.application(client: client).acquireTokenSilent(forced(account))
      }
    }
    #expect(bench.transport.requests.count == sent)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a sign-out revokes neither token`() throws {
    let account = try refused(.otherIssuer)
    let old = try refreshTokens().map { $0.secret.reveal() }
    let sent = bench.transport.requests.count
    var request = SignOutRequest()
    request.homeAccountID = account.homeAccountID
    request.revokesTokens = true
    let report = try bench.application(issuer: "main").signOut(request)
    let bodies = bench.transport.requests.dropFirst(sent)
      .map { String(decoding: $0.body, as: UTF8.self) }
    #expect(!bodies.contains { body in (old + ["SUCCESSOR"]).contains(where: body.contains) })
    #expect(report.revocations.isEmpty)
    #expect(try refreshTokens().isEmpty)
  }

  @Test func `a rejected refresh while the token is valid returns the token`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 60)]))
    let account = try bench.signIn(bench.application()).account
    bench.clock.advance(seconds: 120)
    var request = forced(account)
    request.forcesRefresh = false
    let unlucky = try bench.application(
      transport: Refused(network: bench.transport, fault: .otherIssuer))
    let result = try unlucky.acquireTokenSilent(request)
    #expect(result.source == .cache)
    #expect(result.refreshError?.code == .issuerMismatch)
    let sent = bench.transport.requests.count
    #expect(try bench.application().acquireTokenSilent(request).source == .cache)
    #expect(bench.transport.requests.count == sent)
    bench.clock.advance(seconds: 4000)
    expect(.interactionRequired) {
      _ = try bench.application().acquireTokenSilent(request)
    }
    #expect(bench.transport.requests.count == sent)
  }

  @Test func `a legacy token is not sent after its rejected rotation`() throws {
    let bench = TestBench()
    try bench.importItems(bench.legacyItem())
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = LocalUser.alice.username
    let unlucky = try bench.application(
      transport: Refused(network: bench.transport, fault: .otherIssuer))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(request) }
    let sent = bench.transport.requests.count
    let error = #expect(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(error?.remedy == .signIn)
    #expect(bench.transport.requests.count == sent)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }
}
