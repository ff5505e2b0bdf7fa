// SPDX-License-Identifier: MIT
// The authorization endpoint: pages, redirects and authorization codes.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct AuthorizationPageTests {
  private static let verifier = CodeVerifier(Secret(String(repeating: "v", count: 43)))
  private let machine = LocalMachine()

  private var issuer: String { machine.provider.issuer("main") }

  private func page(_ fields: [String: String] = [:], at endpoint: String? = nil) -> String {
    var all = [
      "client_id": "app", "response_type": "code", "redirect_uri": "http://localhost:7/back",
      "scope": "openid read offline_access", "state": "S", "nonce": "N",
      "code_challenge": Self.verifier.challenge, "code_challenge_method": "S256",
    ]
    for (name, value) in fields { all[name] = value.isEmpty ? nil : value }
    var form = FormFields()
    for (name, value) in all.sorted(by: { $0.key < $1.key }) { form.add(name, value) }
    return (endpoint ?? issuer + "/authorize") + "?" + form.encoded
  }

  private func answer(_ fields: [String: String] = [:], at endpoint: String? = nil) throws
    -> FormFields
  {
    switch try #require(machine.browser.visit(page(fields, at: endpoint))) {
    case .form(let body): return FormFields(decoding: body.reveal())
    case .address(let address):
      let parts = address.reveal().split(separator: "?", maxSplits: 1)
      #expect(parts.first == "http://localhost:7/back")
      return FormFields(decoding: parts.last ?? "")
    }
  }

  private func redeem(_ code: String?, _ changes: [String: String] = [:]) -> HTTPResponse {
    var form = FormFields()
    var fields = [
      "client_id": "app", "grant_type": "authorization_code", "code": code ?? "",
      "redirect_uri": "http://localhost:7/back", "code_verifier": Self.verifier.secret.reveal(),
    ]
    fields.merge(changes) { $1 }
    for (name, value) in fields { form.add(name, value) }
    return machine.provider.handle(.post(issuer + "/token", form))
  }

  @Test func `after sign-in and consent, the code is redeemed once`() throws {
    let answer = try answer()
    #expect(machine.browser.pages == ["Sign in", "Permissions requested"])
    #expect(answer["state"] == "S")
    #expect(answer["iss"] == issuer)
    let response = redeem(answer["code"])
    let token = try JSONWebToken(Secret(try #require(response.json?["id_token"]?.string)))
    #expect(token.claims["nonce"]?.string == "N")
    #expect(response.json?["refresh_token"]?.string != nil)
    #expect(redeem(answer["code"]).json?["error"]?.string == "invalid_grant")
  }

  @Test(arguments: [
    ["code_verifier": String(repeating: "w", count: 43)],
    ["redirect_uri": "http://localhost:8/back"],
    ["client_id": "other"], ["code_verifier": ""],
  ])
  func `a code is bound to its client, redirect URI and verifier`(_ changes: [String: String])
    throws
  {
    let response = redeem(try answer()["code"], changes)
    #expect(response.status == 400)
    #expect(response.json?["access_token"] == nil)
  }

  @Test func `a code expires after 60 seconds`() throws {
    let code = try answer()["code"]
    machine.clock.advance(seconds: 60)
    #expect(redeem(code).json?["error"]?.string == "invalid_grant")
  }

  @Test func `with form_post, the response is in a form`() throws {
    #expect(try answer(["response_mode": "form_post"])["code"] != nil)
    #expect(machine.browser.pages.last == "Back to the application")
  }

  @Test func `declining redirects with access_denied`() throws {
    machine.browser.decision = .decline
    #expect(try answer()["error"] == "access_denied")
    let entra = try answer(
      ["client_id": "other"], at: machine.provider.entraAuthority() + "/oauth2/v2.0/authorize")
    #expect(entra["error_description"]?.hasPrefix("AADSTS65004") == true)
    #expect(entra["error_subcode"] == "cancel")
  }

  @Test func `each prompt value shows the required pages`() throws {
    #expect(try answer(["prompt": "none"])["error"] == "login_required")
    #expect(try answer()["code"] != nil)
    let pages = machine.browser.pages.count
    #expect(try answer(["prompt": "none"])["code"] != nil)
    #expect(try answer()["code"] != nil)
    #expect(machine.browser.pages.count == pages)
    #expect(try answer(["prompt": "none", "scope": "more"])["error"] == "consent_required")
    #expect(try answer(["prompt": "login"])["code"] != nil)
    #expect(machine.browser.pages.dropFirst(pages) == ["Sign in"])
    #expect(try answer(["prompt": "consent"])["code"] != nil)
    #expect(machine.browser.pages.last == "Permissions requested")
    #expect(try answer(["prompt": "select_account"])["code"] != nil)
    #expect(machine.browser.pages.last == "Sign in")
  }

  @Test func `the login hint is filled in, and markup is escaped`() {
    let response = machine.provider.handle(
      HTTPRequest(method: "GET", url: page(["login_hint": "a\"><b>@x", "client_id": "<i>"])))
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains(#"value="a&quot;&gt;&lt;b&gt;@x""#))
    #expect(!text.contains("<b>") && !text.contains("<i>"))
    #expect(
      response.headers["Content-Security-Policy"]?.contains(
        "form-action 'self' http://localhost:7;") == true)
  }

  @Test(arguments: [
    ["redirect_uri": "http://evil.example/"], ["redirect_uri": "javascript:alert(1)"],
    ["redirect_uri": "app://x#y"], ["redirect_uri": ""], ["client_id": ""],
  ])
  func `an invalid redirect URI gets no redirect`(_ fields: [String: String]) {
    let response = machine.provider.handle(HTTPRequest(method: "GET", url: page(fields)))
    #expect(response.status == 400)
    #expect(response.headers["Location"] == nil)
    #expect(machine.browser.visit(page(fields)) == nil)
  }

  @Test func `only registered redirect URIs are accepted, with any port on this machine`() throws {
    try machine.provider.perform(.set([.redirectURIs(["http://localhost/back", "my-app://auth"])]))
    #expect(try answer()["code"] != nil)
    #expect(machine.browser.visit(page(["redirect_uri": "my-app://auth"])) != nil)
    #expect(machine.browser.visit(page(["redirect_uri": "my-app://other"])) == nil)
    #expect(machine.browser.visit(page(["redirect_uri": "http://localhost:7/"])) == nil)
  }

  @Test(arguments: [
    (["response_type": "token"], "unsupported_response_type"),
    (["code_challenge": ""], "invalid_request"),
    (["code_challenge_method": "plain"], "invalid_request"),
    (["prompt": "dance"], "invalid_request"),
    (["scope": ""], "invalid_request"), (["response_mode": "fragment"], "invalid_request"),
  ])
  func `an invalid request is redirected with its error`(
    _ fields: [String: String], _ error: String
  ) throws {
    let answer = try answer(fields)
    #expect(answer["error"] == error)
    #expect(answer["state"] == "S")
  }
}
