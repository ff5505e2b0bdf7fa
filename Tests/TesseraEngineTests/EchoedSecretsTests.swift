// SPDX-License-Identifier: MIT
// Servers that echo a request in the response: no error, document or log contains its secrets.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct EchoedSecretsTests {
  /// The encodings of an echoed request.
  enum Echo: String, CaseIterable, Sendable {
    case asSent, decoded, lowercaseEscapes, escapedTwice, truncated, everywhere, idToken

    /// Returns the request as the response echoes it.
    func text(_ body: String) -> String {
      switch self {
      case .asSent, .everywhere, .idToken: body
      case .decoded:
        FormFields(decoding: body).fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      case .lowercaseEscapes:
        body.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }
      case .escapedTwice: FormFields.escape(body)
      // Some servers truncate long values.
      case .truncated: String(body.dropLast(3))
      }
    }
  }

  /// A transport that echoes each form with a secret.
  private final class Echoing: Transport {
    private let network: LocalTransport
    private let echo: Echo
    private let grants: Set<String>
    private let sent = Mutex<Set<String>>([])

    init(_ network: LocalTransport, _ echo: Echo, to grants: Set<String>) {
      self.network = network
      self.echo = echo
      self.grants = grants
    }

    /// The secrets sent so far.
    var secrets: Set<String> { sent.withLock { $0 } }

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      let body = String(decoding: request.body, as: UTF8.self)
      let form = FormFields(decoding: body)
      guard grants.contains(form["grant_type"] ?? form["token_type_hint"] ?? "") else {
        return try network.send(request, within: limits)
      }
      let names = ["refresh_token", "code", "code_verifier", "device_code", "token", "x_password"]
      sent.withLock { $0.formUnion(names.compactMap { form[$0] }) }
      let text = echo.text(body)
      if echo == .idToken {
        let response = try network.send(request, within: limits)
        guard var json = response.json else { return response }
        let claims: JSONValue = ["iss": .string(text), "aud": .string(text)]
        let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
        json["id_token"] = .string("\(header).\(Base64URL.encode(claims.bytes)).c2ln")
        return .json(.object(json), status: response.status)
      }
      var answer: JSONObject = [
        "error": "invalid_request", "error_description": .string("Unexpected: " + text),
      ]
      if echo == .everywhere {
        for name in ["error", "suberror", "claims", "adi", "correlation_id", "trace_id"] {
          answer[name] = .string(text)
        }
      }
      return .json(.object(answer), status: 400)
    }
  }

  private func check(_ error: TesseraError?, _ network: Echoing) {
    #expect(error != nil && !network.secrets.isEmpty)
    let texts = [error.map { "\($0)" } ?? "", error?.json.serialized ?? "", error?.message ?? ""]
    for secret in network.secrets {
      for text in texts {
        #expect(!text.contains(secret))
        #expect(!text.contains(FormFields.escape(secret)))
        // A prefix of a secret must not appear either.
        #expect(!text.contains(secret.prefix(20)))
      }
    }
  }

  @Test(arguments: Echo.allCases)
  func `the error of a failed refresh contains no refresh token`(_ echo: Echo) throws {
    let bench = TestBench()
    let account = try bench.signIn(bench.application()).account
    let network = Echoing(bench.transport, echo, to: ["refresh_token"])
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = true
    let application = try bench.application(transport: network) {
      $0.extraTokenParameters = ["x_password": "pass word+&%ü"]
    }
    for _ in 0..<2 {
      let error = #expect(throws: TesseraError.self) {
        try application.acquireTokenSilent(request)
      }
      check(error, network)
    }
  }

  @Test(arguments: Echo.allCases)
  func `the error of a failed redemption contains neither the code nor its verifier`(_ echo: Echo)
    throws
  {
    let bench = TestBench()
    let network = Echoing(bench.transport, echo, to: ["authorization_code"])
    let application = try bench.application(transport: network)
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    }
    check(error, network)
  }

  @Test(arguments: Echo.allCases.filter { $0 != .idToken })
  func `the error of a failed poll does not contain the device code`(_ echo: Echo) throws {
    let bench = TestBench()
    let network = Echoing(
      bench.transport, echo, to: ["urn:ietf:params:oauth:grant-type:device_code"])
    let application = try bench.application(transport: network)
    let error = #expect(throws: TesseraError.self) { try bench.signIn(application) }
    check(error, network)
  }

  @Test(arguments: Echo.allCases.filter { $0 != .idToken })
  func `the error of a failed revocation contains no refresh token`(_ echo: Echo) throws {
    let bench = TestBench()
    let network = Echoing(bench.transport, echo, to: ["refresh_token"])
    let application = try bench.application(issuer: "main", transport: network)
    let account = try bench.signIn(application).account
    var request = SignOutRequest()
    request.homeAccountID = account.homeAccountID
    request.revokesTokens = true
    let report = try application.signOut(request)
    check(report.revocations.first?.error, network)
  }

  @Test func `texts without secrets are unchanged`() throws {
    let request = HTTPRequest.post(
      "https://id.example/token", FormFields(decoding: "client_id=app&code=abc&refresh_token=RT-12")
    )
    let sent = RequestSecrets(request)
    for text in ["", "abc", "RT-1", "client_id=app", "100 % of RT 12", "%", "%R", "\\", "ü RT"] {
      #expect(sent.removed(from: text) == text)
    }
    #expect(
      sent.removed(from: "a RT-12 b %52T-12, R%54%2d12") == "a <removed> b <removed>, <removed>")
  }
}
