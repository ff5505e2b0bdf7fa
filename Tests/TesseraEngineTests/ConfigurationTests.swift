// SPDX-License-Identifier: MIT
// The configuration: each fault names the member, and nothing is asked before it is found.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct ConfigurationTests {
  private let bench = TestBench()

  /// A change that cannot work, and what the message has to name.
  struct Fault: Sendable, CustomTestStringConvertible {
    let member: String
    let change: @Sendable (inout ApplicationConfiguration) -> Void
    var testDescription: String { member }

    init(_ member: String, _ change: @escaping @Sendable (inout ApplicationConfiguration) -> Void) {
      self.member = member
      self.change = change
    }
  }

  private static let faults = [
    Fault("client_id") { $0.clientID = " \n" },
    Fault("group") { $0.group = "a/b" },
    Fault("expiry_margin_seconds") { $0.expiryMarginSeconds = -1 },
    Fault("network_timeout_seconds") { $0.networkTimeoutSeconds = 0 },
    Fault("proactive_refresh_timeout_milliseconds") {
      $0.proactiveRefreshTimeoutMilliseconds = 600_001
    },
    Fault("store_limit_megabytes") { $0.storeLimitMegabytes = 0 },
    Fault("store_directory") { $0.storeDirectory = "here" },
    Fault("store_key") { $0.storeKey = StoreKey([1, 2, 3]) },
    Fault("key_sources") { $0.keySources = [.keyFile, .keyFile] },
    Fault("known_authorities") { $0.knownAuthorities = ["http://login.example/common"] },
    Fault("known_authorities") { $0.knownAuthorities = ["https://x.b2clogin.com"] },
    Fault("known_authorities") {
      $0.knownAuthorities = Array(repeating: "https://x.example", count: 101)
    },
    Fault("extra_token_parameters") { $0.extraTokenParameters = ["": "1"] },
    Fault("extra_token_parameters") { $0.extraTokenParameters = ["Refresh_Token": "1"] },
    Fault("extra_token_parameters") { $0.extraTokenParameters = ["name": ""] },
    Fault("extra_token_parameters") { $0.extraTokenParameters = ["name": "a\r\nb"] },
    Fault("extra_query_parameters") { $0.extraQueryParameters = ["client_id": "other"] },
    Fault("extra_query_parameters") { $0.extraQueryParameters = ["a b": "1"] },
    Fault("slice") { $0.slice = "" },
    Fault("dc") { $0.dataCenter = "a\nb" },
  ]

  @Test(arguments: faults)
  func `a fault names its member`(_ fault: Fault) {
    let error = #expect(throws: TesseraError.self) {
      try bench.application(change: fault.change)
    }
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains(fault.member) == true)
    #expect(bench.transport.requests.isEmpty)
  }

  @Test func `a change after the application was made has no effect`() throws {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = bench.provider.issuer("main")
    let application = try PublicClientApplication(configuration, in: bench.surroundings)
    configuration.authority = "https://elsewhere.example"
    #expect(application.configuration.authority == bench.provider.issuer("main"))
    try bench.signIn(application)
  }

  @Test func `nobody is asked about the host of a known authority`() throws {
    let application = try bench.application { configuration in
      configuration.knownAuthorities = [bench.provider.entraAuthority("contoso.com")]
    }
    try bench.signIn(application)
    #expect(!bench.transport.requests.contains { $0.url.contains("/discovery/instance") })
  }

  @Test func `a request's authority on a known host is of its kind`() throws {
    let application = try bench.application { configuration in
      configuration.authority = "https://id.example/realm"
      configuration.authorityType = nil
      configuration.knownAuthorities = [
        "https://login.microsoftonline.com/common", "https://login.private.example/tfp/a/b2c_1_b",
      ]
    }
    let policy = try application.authority(named: "https://login.private.example/a/b2c_1_c")
    #expect(policy.type == .b2c)
    #expect(try application.authority(named: "https://id.example/adfs").type == .openID)
    #expect(try application.authority(named: "https://id2.example/adfs").type == .adfs)
  }
}
