// SPDX-License-Identifier: MIT
// Validation of the configuration: each error names the member, and no request is sent.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ConfigurationTests {
  private let bench = TestBench()

  /// An invalid change, with the member and the advice in the expected message.
  struct Fault: Sendable, CustomTestStringConvertible {
    let member: String
    let remedy: String
    let change: @Sendable (inout ApplicationConfiguration) -> Void
    var testDescription: String { member }

    init(
      _ member: String, _ remedy: String,
      _ change: @escaping @Sendable (inout ApplicationConfiguration) -> Void
    ) {
      self.member = member
      self.remedy = remedy
      self.change = change
    }
  }

  private static let faults = [
    Fault("client_id", "specify the client ID") { $0.clientID = " \n" },
    Fault("client_id", "trailing white space: remove it") { $0.clientID = "client\n" },
    Fault("multiple_clouds", "remove it, or use an authority of a Microsoft cloud") {
      $0.authority = "https://id.example/realm"
      $0.authorityType = nil
      $0.supportsMultipleClouds = true
    },
    Fault("store.group", "use 1 to 64 letters") { $0.store = .sqlite(group: "a/b") },
    Fault("store.group", "choose another name") { $0.store = .sqlite(group: "a.damaged-b") },
    Fault("tokens.expiry_margin_seconds", "between 0 and 86400") { $0.expiryMargin = .seconds(-1) },
    Fault("network.timeout_milliseconds", "between 1 and 3600000") { $0.networkTimeout = .zero },
    Fault("network.proactive_refresh_timeout_milliseconds", "between 0 and 600000") {
      $0.proactiveRefreshTimeout = .milliseconds(600_001)
    },
    Fault("store.limit_megabytes", "between 1 and 1000000") {
      $0.store = .sqlite(limitMegabytes: 0)
    },
    Fault("store.directory", "an absolute path") { $0.store = .sqlite(directory: "here") },
    Fault("store.msal_cache", "the absolute path of a file") {
      $0.store = .msalFile(.file("here"))
    },
    Fault("store.key", "must have 32 bytes") { $0.store = .sqlite(key: StoreKey([1, 2, 3])) },
    Fault("store.key_sources", "list each source once") {
      $0.store = .sqlite(keySources: [.keyFile, .keyFile])
    },
    Fault("store.key_sources", "pass store.key") { $0.store = .sqlite(keySources: [.caller]) },
    Fault("client_capabilities", "characters without spaces, such as CP1") {
      $0.clientCapabilities = ["a b"]
    },
    Fault("known_authorities", "must use https") {
      $0.knownAuthorities = ["http://login.example/common"]
    },
    Fault("known_authorities", "contain the tenant and the policy, as in") {
      $0.knownAuthorities = ["https://x.b2clogin.com"]
    },
    Fault("known_authorities", "remove some") {
      $0.knownAuthorities = Array(repeating: "https://x.example", count: 101)
    },
    Fault("advanced.extra_token_parameters", "use 1 to 100 printable") {
      $0.extraTokenParameters = ["": "1"]
    },
    Fault("advanced.extra_token_parameters", "sends itself: remove it") {
      $0.extraTokenParameters = ["Refresh_Token": "1"]
    },
    Fault("advanced.extra_token_parameters", "without control characters") {
      $0.extraTokenParameters = ["name": "a\r\nb"]
    },
    Fault("advanced.extra_token_parameters", "remove some") { configuration in
      for number in 0...50 { configuration.extraTokenParameters["p\(number)"] = "1" }
    },
    Fault("advanced.extra_query_parameters", "sends itself: remove it") {
      $0.extraQueryParameters = ["client_id": "other"]
    },
    Fault("advanced.extra_query_parameters", "use 1 to 100 printable") {
      $0.extraQueryParameters = ["a b": "1"]
    },
    Fault("advanced.slice", "specify a value or remove it") { $0.slice = "" },
    Fault("advanced.dc", "without control characters") { $0.dataCenter = "a\nb" },
  ]

  @Test(arguments: faults)
  func `an invalid value is rejected with the member's name and advice`(_ fault: Fault) {
    let error = #expect(throws: TesseraError.self) {
      try bench.application(change: fault.change)
    }
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.hasPrefix(fault.member) == true)
    #expect(error?.message.contains(fault.remedy) == true)
    #expect(bench.transport.requests.isEmpty)
  }

  @Test(arguments: [
    ("http://login.example/common", "must use https"), ("", "an https URL"),
    ("https://login.microsoftonline.com", "append a tenant or /common"),
    ("https://login.microsoftonline.com/adfs", "set authority_type to \"b2c\" or \"adfs\""),
    ("https://x.b2clogin.com/contoso", "contain the tenant and the policy, as in"),
    ("https://a.b.ciamlogin.com", "use https://TENANT.ciamlogin.com"),
    ("https://id.example/?a", "without query or fragment"),
  ])
  func `an invalid authority is rejected with an example or advice`(
    _ text: String, _ remedy: String
  ) {
    let error = #expect(throws: TesseraError.self) {
      try bench.application { configuration in
        configuration.authority = text
        configuration.authorityType = nil
      }
    }
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code == .invalidAuthority)
    #expect(error?.message.contains(remedy) == true)
  }

  @Test func `additional parameters of a request are validated`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.extraQueryParameters = ["scope": "other"]
    let error = #expect(throws: TesseraError.self) { try silent(application, request) }
    #expect(error?.remedy == .fixRequest)
    #expect(error?.code == .invalidMember)
    #expect(error?.message.hasPrefix("extra_query_parameters has \"scope\"") == true)
  }

  private func silent(
    _ application: PublicClientApplication, _ request: SilentRequest
  ) throws -> TokenResult {
    var request = request
    request.forcesRefresh = true
    return try application.acquireTokenSilent(request)
  }

  @Test func `changing the configuration does not affect an existing application`() throws {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = bench.provider.issuer("main")
    let application = try PublicClientApplication(configuration, in: bench.dependencies)
    configuration.authority = "https://elsewhere.example"
    #expect(application.configuration.authority == bench.provider.issuer("main"))
    try bench.signIn(application)
  }

  @Test func `the host of a known authority needs no instance discovery`() throws {
    let application = try bench.application { configuration in
      configuration.knownAuthorities = [bench.provider.entraAuthority("contoso.com")]
    }
    try bench.signIn(application)
    #expect(!bench.transport.requests.contains { $0.url.contains("/discovery/instance") })
  }

  @Test func `an authority of a request has the kind of the known authority on its host`() throws {
    let application = try bench.application { configuration in
      configuration.authority = "https://id.example/realm"
      configuration.authorityType = nil
      configuration.knownAuthorities = [
        "https://login.microsoftonline.com/common", "https://login.private.example/tfp/a/b2c_1_b",
      ]
    }
    let policy = try application.context.authority(named: "https://login.private.example/a/b2c_1_c")
    #expect(policy.type == .b2c)
    #expect(try application.context.authority(named: "https://id.example/adfs").type == .openID)
    #expect(try application.context.authority(named: "https://id2.example/adfs").type == .adfs)
  }
}
