// SPDX-License-Identifier: MIT
// The decision of the silent flow, as a table.

import TesseraCache
import TesseraEngine
import TesseraWire
import Testing

@Suite struct SilentPlanTests {
  private static let now: Int64 = 1_800_000_000

  /// One row: cached records, request and expected decision.
  struct Row: Sendable, CustomStringConvertible {
    var description: String
    var token: Token?
    var refreshTokens: [RefreshToken] = [RefreshToken()]
    var family: String?
    var isSignedOut = false
    var forces = false
    var claims = false
    var realm: String? = "tenant"
    var expected: String
  }

  struct Token: Sendable {
    var age: Int64 = 100
    var lifetime: Int64 = 3600
    var refreshIn: Int64?
    var target = "openid Read"
    var environment = "issuer.example"
    var owner = "home"
    var client = "client"
  }

  struct RefreshToken: Sendable {
    var client = "client"
    var family: String?
    var environment = "issuer.example"
    var owner = "home"
    var name = "own"
  }

  private static let rows: [Row] = [
    Row(description: "a valid token is used", token: Token(), expected: "use"),
    Row(
      description: "a valid token is used without any refresh token", token: Token(),
      refreshTokens: [], expected: "use"),
    Row(description: "no token, but a refresh token", expected: "refresh own missing"),
    Row(description: "neither", refreshTokens: [], expected: "sign in"),
    Row(description: "expired", token: Token(age: 3600), expected: "refresh own expired"),
    Row(description: "within the margin", token: Token(age: 3300), expected: "refresh own expired"),
    Row(description: "one second before the margin", token: Token(age: 3299), expected: "use"),
    Row(
      description: "the margin is half of a short life", token: Token(age: 59, lifetime: 120),
      expected: "use"),
    Row(
      description: "after half of a short life", token: Token(age: 60, lifetime: 120),
      expected: "refresh own expired"),
    Row(
      description: "refresh is due", token: Token(age: 200, refreshIn: 200),
      expected: "refresh own due or use"),
    Row(
      description: "refresh is due but there is nothing to refresh with",
      token: Token(age: 200, refreshIn: 200), refreshTokens: [], expected: "use"),
    Row(description: "refresh is not due yet", token: Token(refreshIn: 101), expected: "use"),
    Row(
      description: "a token from the future", token: Token(age: -61),
      expected: "refresh own expired"),
    Row(description: "clocks may differ by a minute", token: Token(age: -60), expected: "use"),
    Row(description: "forced", token: Token(), forces: true, expected: "refresh own forced or use"),
    Row(
      description: "a claims challenge", token: Token(), claims: true,
      expected: "refresh own claims"),
    Row(
      description: "scopes that the token lacks", token: Token(target: "openid Write"),
      expected: "refresh own missing"),
    Row(
      description: "a token of another issuer", token: Token(environment: "other.example"),
      expected: "refresh own missing"),
    Row(
      description: "a token of another account", token: Token(owner: "other"),
      expected: "refresh own missing"),
    Row(
      description: "a token of another application", token: Token(client: "other"),
      expected: "refresh own missing"),
    Row(
      description: "the tenant is not known yet", token: Token(), realm: nil,
      expected: "refresh own missing"),
    Row(
      description: "a refresh token of another issuer is not sent",
      refreshTokens: [RefreshToken(environment: "other.example")], expected: "sign in"),
    Row(
      description: "a refresh token of another application is not sent",
      refreshTokens: [RefreshToken(client: "other")], expected: "sign in"),
    Row(
      description: "a family token, with unknown membership of the application",
      refreshTokens: [RefreshToken(client: "other", family: "1", name: "family")],
      expected: "refresh family missing"),
    Row(
      description: "a family's token, for a member",
      refreshTokens: [RefreshToken(client: "other", family: "1", name: "family")], family: "1",
      expected: "refresh family missing"),
    Row(
      description: "a family's token is not for strangers",
      refreshTokens: [RefreshToken(client: "other", family: "1", name: "family")], family: "",
      expected: "sign in"),
    Row(
      description: "the application's own token comes first",
      refreshTokens: [
        RefreshToken(client: "other", family: "1", name: "family"), RefreshToken(),
      ], expected: "refresh own family missing"),
    Row(description: "signed out", token: Token(), isSignedOut: true, expected: "sign in"),
  ]

  @Test(arguments: rows)
  func `the plan matches the row`(_ row: Row) {
    #expect(Self.outcome(SilentPlan(inputs(row))) == row.expected)
  }

  @Test(arguments: rows)
  func `the explanation matches the plan`(_ row: Row) {
    let inputs = inputs(row)
    let plan = SilentPlan(inputs)
    let candidates = inputs.candidates(of: plan)
    let tokens = inputs.snapshot.credentials.count
    #expect(candidates.count == tokens)
    func count(_ role: TokenCandidate.Role, _ type: CredentialType) -> Int {
      candidates.count { $0.role == role && $0.credentialType == type.name }
    }
    for candidate in candidates {
      #expect(candidate.obstacles.isEmpty == (candidate.role == .used), "\(candidate)")
    }
    switch plan {
    case .useCached:
      #expect(count(.used, .accessToken) == 1 && count(.used, .refreshToken) == 0)
    case .refresh(let refreshTokens, let fallback, let reason):
      #expect(count(.used, .accessToken) == 0 && count(.used, .refreshToken) == 1)
      #expect(count(.fallback, .refreshToken) == refreshTokens.count - 1)
      let mayFallBack = fallback != nil && reason != .forced
      #expect(count(.fallback, .accessToken) == (mayFallBack ? 1 : 0))
    case .backOff, .requireSignIn:
      #expect(!candidates.contains { $0.role == .used })
    }
  }

  @Test func `account IDs of OpenID Connect providers are compared with case`() {
    var inputs = inputs(Row(description: "", token: Token(), expected: ""))
    inputs.homeAccountID = "Home"
    #expect(Self.outcome(SilentPlan(inputs)) == "use")
    inputs.isEntra = false
    #expect(Self.outcome(SilentPlan(inputs)) == "sign in")
  }

  private static let throttleKey = ThrottleKey(
    environment: "issuer.example", tenant: "tenant", clientID: "client", homeAccountID: "home",
    scopes: Scopes(["read"]), claims: nil)

  private static func outcome(_ plan: SilentPlan) -> String {
    switch plan {
    case .useCached: return "use"
    case .requireSignIn: return "sign in"
    case .backOff(let record, let fallback):
      return "pause \(record.error["code"]?.string ?? "")" + (fallback == nil ? "" : " or use")
    case .refresh(let tokens, let fallback, let reason):
      let names = tokens.map { $0.secret.reveal() }.joined(separator: " ")
      return "refresh \(names) \(reason.rawValue)" + (fallback == nil ? "" : " or use")
    }
  }

  private func inputs(_ row: Row) -> SilentInputs {
    var records = row.refreshTokens.map { CacheRecord.credential(record($0)) }
    if let token = row.token { records.append(.credential(record(token))) }
    if let family = row.family {
      records.append(
        .appMetadata(
          AppMetadataRecord(clientID: "client", environment: "issuer.example", familyID: family)))
    }
    if row.isSignedOut {
      var metadata = AccountMetadataRecord(clientID: "client")
      metadata.signOut("home")
      records.append(.accountMetadata(metadata))
    }
    var inputs = SilentInputs(
      homeAccountID: "home", scopes: Scopes(["read"]), clientID: "client",
      environments: ["issuer.example"], isEntra: true, realm: row.realm,
      snapshot: CacheSnapshot(records: records, version: nil),
      clocks: Clocks(now: Instant(secondsSince1970: Self.now)), marginSeconds: 300,
      throttleKey: Self.throttleKey)
    inputs.forcesRefresh = row.forces
    inputs.hasClaims = row.claims
    return inputs
  }

  private func record(_ token: Token) -> CredentialRecord {
    let cachedAt = Instant(secondsSince1970: Self.now - token.age)
    var record = CredentialRecord(type: .accessToken, secret: Secret("access"))
    record.homeAccountID = token.owner
    record.environment = token.environment
    record.clientID = token.client
    record.realm = "tenant"
    record.target = token.target
    record.cachedAt = cachedAt
    record.expiresAt = cachedAt.adding(seconds: token.lifetime)
    record.refreshAt = token.refreshIn.map { cachedAt.adding(seconds: $0) }
    return record
  }

  private func record(_ token: RefreshToken) -> CredentialRecord {
    var record = CredentialRecord(type: .refreshToken, secret: Secret(token.name))
    record.homeAccountID = token.owner
    record.environment = token.environment
    record.clientID = token.client
    record.familyID = token.family
    return record
  }
}
