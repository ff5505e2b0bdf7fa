// SPDX-License-Identifier: MIT
// Client telemetry for Entra: opt-in, exact header values, and never sent to other providers.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct TelemetryTests {
  private static let entra = "https://login.microsoftonline.com"
  private static let id = "00000000-0000-0000-0000-000000000001"
  private static let names = ["x-client-current-telemetry", "x-client-last-telemetry"]

  private let bench = TestBench(origin: entra)

  private func application(
    _ change: (inout ApplicationConfiguration) -> Void = { $0.sendsServerTelemetry = true }
  ) throws -> PublicClientApplication {
    try bench.application { configuration in
      configuration.authorityType = nil
      change(&configuration)
    }
  }

  private func silent(_ account: Account) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.correlationID = Self.id
    return request
  }

  /// The telemetry header values of all token requests.
  private var telemetryHeaders: [[String]] {
    bench.transport.requests.filter { $0.url.hasSuffix("/token") }.map { request in
      request.headers.filter { Self.names.contains($0.name) }.map(\.value)
    }
  }

  @Test(arguments: TestVector.all(in: "telemetry", areas: "telemetry"))
  func `header values match the vector`(_ vector: TestVector) throws {
    let apiID = Int(try #require(vector.input["apiId"]?.integer))
    if let number = vector.input["refreshType"]?.integer {
      let type = try #require(CurrentTelemetry.RefreshType(rawValue: Int(number)))
      let current = CurrentTelemetry(apiID: apiID, refreshType: type)
      #expect(current.text == vector.expected.string)
    } else {
      let failure = LastTelemetry.Failure(
        apiID: apiID, correlationID: try #require(vector.input["correlationId"]?.string),
        error: try #require(vector.input["error"]?.string))
      let count = Int(try #require(vector.input["silentCount"]?.integer))
      let last = LastTelemetry(silentSuccesses: count, failures: [failure])
      #expect(last.text == vector.expected.string)
    }
  }

  @Test func `each token request reports its API ID and refresh reason`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let application = try application()
    let account = try bench.signIn(application).account
    var request = silent(account)
    request.forcesRefresh = true
    _ = try application.acquireTokenSilent(request)
    bench.clock.advance(seconds: 700)
    _ = try application.acquireTokenSilent(silent(account))
    bench.clock.advance(seconds: 7200)
    _ = try application.acquireTokenSilent(silent(account))
    request.forcesRefresh = false
    request.scopes = ["mail.read"]
    _ = try application.acquireTokenSilent(request)
    request.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    _ = try application.acquireTokenSilent(request)
    let kinds = ["622,0", "34,1", "34,4", "34,3", "34,2", "34,0"]
    #expect(telemetryHeaders == kinds.map { ["4|\($0)|", "4|0|||"] })
  }

  @Test func `an interactive sign-in reports its API ID`() throws {
    let machine = LocalMachine(origin: Self.entra)
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.sendsServerTelemetry = true
    _ = try machine.application(configuration)
      .acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    let sent = try #require(machine.transport.requests.last)
    #expect(sent.headers[Self.names[0]] == "4|167,0|")
    #expect(sent.headers[Self.names[1]] == "4|0|||")
  }

  @Test func `failures and cache hits are reported once, with the next successful request`() throws
  {
    let application = try application()
    let account = try bench.signIn(application).account
    for _ in 0..<3 { _ = try application.acquireTokenSilent(silent(account)) }
    try bench.provider.perform(.outage(requests: 1))
    var request = silent(account)
    request.forcesRefresh = true
    expect(.serverUnavailable) { _ = try application.acquireTokenSilent(request) }
    bench.clock.advance(seconds: 120)
    _ = try application.acquireTokenSilent(request)
    bench.clock.advance(seconds: 120)
    _ = try application.acquireTokenSilent(request)
    #expect(
      telemetryHeaders.suffix(3).map { $0[1] } == [
        "4|3|||", "4|3|34,\(Self.id)|server_unavailable|", "4|0|||",
      ])
  }

  @Test func `a pending device code and a refusal by the user are not failures`() throws {
    let application = try application()
    _ = try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["user.read"])) {
      prompt in
      // The first poll is after five seconds, before the user approves.
      bench.clock.schedule(after: .seconds(7)) { [bench] in
        try? bench.provider.perform(
          .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
      }
    }
    #expect(telemetryHeaders == [["4|622,0|", "4|0|||"], ["4|622,0|", "4|0|||"]])
    expect(.accessDenied) {
      _ = try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["user.read"])) {
        prompt in try? bench.provider.perform(.decline(userCode: prompt.userCode))
      }
    }
    try bench.signIn(application)
    #expect(telemetryHeaders.last == ["4|622,0|", "4|0|||"])
  }

  @Test func `nothing is reported or recorded without sendsServerTelemetry`() throws {
    #expect(!ApplicationConfiguration(clientID: "client").sendsServerTelemetry)
    let application = try application { _ in }
    let account = try bench.signIn(application).account
    _ = try application.acquireTokenSilent(silent(account))
    #expect(application.context.telemetry == nil)
    #expect(telemetryHeaders == [[]])
  }

  @Test(arguments: ProviderKind.all)
  func `only Entra receives telemetry`(_ shape: ProviderKind) throws {
    let bench = TestBench(origin: shape.origin)
    let application = try bench.application { configuration in
      configuration.authority = shape.authority
      configuration.authorityType = shape.type
      configuration.sendsServerTelemetry = true
    }
    let account = try bench.signIn(application).account
    _ = try application.acquireTokenSilent(SilentRequest(account: account, scopes: ["user.read"]))
    let isEntra = try application.context.authority(named: nil).type == .entra
    for request in bench.transport.requests {
      let sendsTelemetry = Self.names.contains { request.headers[$0] != nil }
      #expect(sendsTelemetry == (isEntra && request.url.hasSuffix("/token")))
    }
    let host = try application.context.authority(named: nil).address.authority
    let count = application.context.telemetry?.report(to: host).text
    #expect(count == (isEntra ? "4|1|||" : "4|0|||"))
  }
}

@Suite struct TelemetryMemoryTests {
  private let memory = TelemetryHistory()

  private func fail(_ number: Int, at host: String = "a") {
    let failure = LastTelemetry.Failure(
      apiID: 34, correlationID: "id-\(number)", error: "network_failed")
    memory.record(failure, at: host)
  }

  @Test func `failures beyond the header limit are sent later, newest first`() {
    for number in 0..<100 { fail(number) }
    var telemetryHeaders: [String] = []
    var requests = 0
    while telemetryHeaders.count < 75, requests < 75 {
      let report = memory.report(to: "a")
      #expect(report.text.utf8.count <= LastTelemetry.limit)
      #expect(report.text.hasSuffix(requests == 0 ? "|" : "|1"))
      let calls = report.text.split(separator: "|", omittingEmptySubsequences: false)[2]
      let ids = calls.split(separator: ",").filter { $0.hasPrefix("id-") }.map(String.init)
      telemetryHeaders = ids + telemetryHeaders
      memory.removeReported(report, at: "a")
      requests += 1
    }
    #expect(telemetryHeaders == (25..<100).map { "id-\($0)" })
    #expect(memory.report(to: "a").text == "4|0|||")
  }

  @Test func `a failure during a request is reported with a later one`() {
    fail(1)
    memory.countSilentSuccess(at: "a")
    let report = memory.report(to: "a")
    fail(2)
    memory.countSilentSuccess(at: "a")
    memory.removeReported(report, at: "a")
    #expect(memory.report(to: "a").text == "4|1|34,id-2|network_failed|1")
  }

  @Test func `reports are separate for each host, and at most ten hosts are kept`() {
    for host in 0..<11 { fail(host, at: "host\(host)") }
    #expect(memory.report(to: "host10").text == "4|0|34,id-10|network_failed|")
    #expect(memory.report(to: "host0").text == "4|0|||")
    #expect(memory.report(to: "nobody").text == "4|0|||")
  }

  @Test(arguments: ["a,b", "a|b", "a\r\nb", "a b", "ü", String(repeating: "a", count: 65)])
  func `invalid characters are left out`(_ text: String) {
    memory.record(LastTelemetry.Failure(apiID: 34, correlationID: text, error: text), at: "a")
    #expect(memory.report(to: "a").text == "4|0|34,||")
  }
}
