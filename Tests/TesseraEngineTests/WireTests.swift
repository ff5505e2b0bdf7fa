// SPDX-License-Identifier: MIT
// The exact requests that are sent: line, header fields and body.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct WireTests {
  private static let correlation = "01234567-89ab-4cde-8f01-23456789abcd"
  private static let scopes = "https://api.example/read openid profile offline_access"
  private static let form = "application/x-www-form-urlencoded"

  /// Returns a request as text, with generated secrets replaced.
  private func text(_ request: HTTPRequest, _ bench: TestBench) -> String {
    var text = "\(request.method) \(request.url)\n"
    for header in request.headers { text += "\(header.name): \(header.value)\n" }
    text += String(decoding: request.body, as: UTF8.self)
    for secret in bench.transport.secrets { text = text.replacing(secret, with: "SECRET") }
    return text
  }

  private func microsoft(_ body: String = "", account: String? = nil, posts: Bool = true) -> String
  {
    var lines = "Accept: application/json\n"
    if posts { lines += "Content-Type: \(Self.form)\n" }
    lines += "client-request-id: \(Self.correlation)\nreturn-client-request-id: true\n"
    lines += "x-client-SKU: Tessera\nx-client-Ver: \(TesseraVersion.text)\n"
    if let account { lines += "X-AnchorMailbox: \(account)\n" }
    return lines + body
  }

  private func requests(
    at authority: String, _ bench: TestBench, claims: String? = nil,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> [String] {
    let application = try bench.application { configuration in
      configuration.authority = authority
      configuration.authorityType = nil
      change(&configuration)
    }
    var request = DeviceCodeRequest(scopes: ["https://api.example/read"])
    request.correlationID = Self.correlation
    let account = try application.acquireTokenByDeviceCode(request) { prompt in
      try? bench.provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }.account
    var silent = SilentRequest(account: account, scopes: ["https://api.example/read"])
    silent.correlationID = Self.correlation
    silent.forcesRefresh = true
    silent.claims = claims
    _ = try application.acquireTokenSilent(silent)
    return bench.transport.requests.map { text($0, bench) }
  }

  @Test func `the requests to Entra are exactly these`() throws {
    let bench = TestBench(origin: "https://login.microsoftonline.com")
    let base = "https://login.microsoftonline.com"
    let scopes = FormFields.escape(Self.scopes)
    let grant = FormFields.escape("urn:ietf:params:oauth:grant-type:device_code")
    let alice = LocalUser.alice
    let sent = try requests(
      at: base + "/common", bench, claims: #"{"access_token":{"acrs":{"value":"c1"}}}"#)
    let claims = "%7B%22access_token%22%3A%7B%22acrs%22%3A%7B%22value%22%3A%22c1%22%7D%7D%7D"
    #expect(
      sent == [
        "GET \(base)/common/v2.0/.well-known/openid-configuration\n" + microsoft(posts: false),
        "POST \(base)/common/oauth2/v2.0/devicecode\n"
          + microsoft("client_id=client&scope=\(scopes)"),
        "POST \(base)/common/oauth2/v2.0/token\n"
          + microsoft("client_id=client&grant_type=\(grant)&device_code=SECRET&client_info=1"),
        "POST \(base)/\(alice.homeTenantID)/oauth2/v2.0/token\n"
          + microsoft(
            "client_id=client&grant_type=refresh_token&refresh_token=SECRET&scope=\(scopes)"
              + "&claims=\(claims)&client_info=1",
            account: "Oid:\(alice.objectID)@\(alice.homeTenantID)"),
      ])
  }

  @Test func `instance discovery is requested once for an unknown host`() throws {
    let bench = TestBench()
    let sent = try requests(at: bench.provider.entraAuthority(), bench) { configuration in
      configuration.authorityType = .entra
    }
    let endpoint = FormFields.escape("http://127.0.0.1:8400/common/oauth2/v2.0/authorize")
    #expect(
      sent.first
        == "GET http://127.0.0.1:8400/common/discovery/instance?api-version=1.1"
        + "&authorization_endpoint=\(endpoint)\n" + microsoft(posts: false))
    #expect(sent.count == 5)
  }

  @Test func `requests to other providers have no Microsoft fields`() throws {
    let bench = TestBench(origin: "https://id.example")
    let sent = try requests(at: "https://id.example/oidc/main", bench)
    #expect(
      sent.last
        == "POST https://id.example/oidc/main/token\nAccept: application/json\n"
        + "Content-Type: \(Self.form)\nclient_id=client&grant_type=refresh_token"
        + "&refresh_token=SECRET&scope=\(FormFields.escape(Self.scopes))")
    for request in bench.transport.requests {
      #expect(Set(request.headers.map(\.name)).isSubset(of: ["Accept", "Content-Type"]))
      #expect(!String(decoding: request.body, as: UTF8.self).contains("client_info"))
    }
  }

  @Test(arguments: ProviderKind.all)
  func `requests contain no telemetry and no machine information`(_ shape: ProviderKind) throws {
    let bench = TestBench(origin: shape.origin)
    _ = try requests(at: shape.authority, bench) { $0.authorityType = shape.type }
    let headers: Set = [
      "Accept", "Content-Type", "client-request-id", "return-client-request-id", "x-client-SKU",
      "x-client-Ver", "X-AnchorMailbox",
    ]
    let fields: Set = [
      "client_id", "grant_type", "device_code", "refresh_token", "scope", "client_info",
    ]
    for request in bench.transport.requests {
      #expect(headers.isSuperset(of: request.headers.map(\.name)))
      let form = FormFields(decoding: String(decoding: request.body, as: UTF8.self))
      #expect(fields.isSuperset(of: form.fields.map(\.name)))
    }
  }

  @Test func `additional parameters are sent to token and device endpoints only`() throws {
    let bench = TestBench(origin: "https://login.microsoftonline.com")
    let sent = try requests(at: "https://login.microsoftonline.com/common", bench) {
      $0.extraTokenParameters = ["one": "1 & 2", "two": "ü"]
      $0.extraQueryParameters = ["q": "a b"]
      $0.slice = "testslice"
      $0.dataCenter = "prod-wst-01"
    }
    let query = "?dc=prod-wst-01&q=a%20b&slice=testslice\n"
    #expect(sent[0].contains("openid-configuration\n"))
    #expect(sent[1].contains("/devicecode" + query))
    #expect(!sent[1].contains("one=1"))
    for request in sent.suffix(2) {
      #expect(request.contains("/oauth2/v2.0/token" + query))
      #expect(request.contains("&one=1+%26+2&two=%C3%BC&"))
    }
  }

  @Test(arguments: [
    ("https://x.example/token", "https://x.example/token?p=2&q=a%2Bb"),
    ("https://x.example/token?p=b2c_1_policy&z=1", "https://x.example/token?z=1&p=2&q=a%2Bb"),
    ("https://x.example/token?z", "https://x.example/token?z&p=2&q=a%2Bb"),
  ])
  func `the query of an endpoint is preserved`(_ endpoint: String, _ expected: String) {
    var extras = ExtraParameters()
    #expect(extras.endpoint(endpoint) == endpoint)
    extras.query = ["q": "a+b", "p": "2"]
    #expect(extras.endpoint(endpoint) == expected)
  }
}
