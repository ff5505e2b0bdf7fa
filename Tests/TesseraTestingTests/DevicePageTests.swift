// SPDX-License-Identifier: MIT
// The device page: its steps, and protection against injection.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct DevicePageTests {
  let bench = Bench()

  private func device(_ endpoints: Bench.Endpoints, client: String = "app") throws -> (
    userCode: String, deviceCode: String
  ) {
    let device = bench.authorizeDevice(endpoints, client: client)
    return (try #require(device["user_code"]), try #require(device["device_code"]))
  }

  @Test func `a user approves a code step by step`() throws {
    let (userCode, deviceCode) = try device(.entra("common"))
    #expect(bench.get("/device").text.contains("Enter the code"))
    let chooser = bench.post("/device", ["user_code": userCode])
    #expect(chooser.text.contains("alice@contoso.com"))
    #expect(chooser.text.contains("carol@fabrikam.com"))
    let consent = bench.post("/device", ["user_code": userCode, "username": "bob@contoso.com"])
    #expect(consent.text.contains("https://graph.microsoft.com/User.Read"))
    #expect(bench.poll(.entra("common"), deviceCode)["error"] == "authorization_pending")
    let done = bench.post(
      "/device",
      ["user_code": userCode, "username": "bob@contoso.com", "decision": "approve"])
    #expect(done.text.contains("You are signed in"))
    let answer = bench.poll(.entra("common"), deviceCode)
    #expect(try Bench.claims(answer["id_token"])["preferred_username"] == "bob@contoso.com")
  }

  @Test func `a user declines a code`() throws {
    let (userCode, deviceCode) = try device(.plain("main"))
    let done = bench.post(
      "/device",
      ["user_code": userCode, "username": "alice@contoso.com", "decision": "decline"])
    #expect(done.text.contains("Declined"))
    #expect(bench.poll(.plain("main"), deviceCode)["error"] == "access_denied")
  }

  @Test func `a code is accepted in lower case and without the dash`() throws {
    let (userCode, _) = try device(.plain("main"))
    let typed = " " + userCode.lowercased().filter { $0 != "-" } + " "
    #expect(bench.post("/device", ["user_code": typed]).text.contains("Choose an account"))
  }

  @Test(arguments: ["", "ZZZZ-ZZZZ", "nonsense"])
  func `a wrong code shows the form again`(code: String) {
    let answer = bench.post("/device", ["user_code": code])
    #expect(answer.status == 400)
    #expect(answer.text.contains("This code is incorrect"))
  }

  @Test func `only users of the tenant are listed`() throws {
    let (userCode, _) = try device(.entra("consumers"))
    let chooser = bench.post("/device", ["user_code": userCode]).text
    #expect(chooser.contains("dave@outlook.example"))
    #expect(!chooser.contains("alice@contoso.com"))
  }

  @Test func `a guest is marked as guest`() throws {
    let (userCode, _) = try device(.entra("contoso.com"))
    let chooser = bench.post("/device", ["user_code": userCode]).text
    #expect(chooser.contains("carol@fabrikam.com (guest)"))
    #expect(!chooser.contains("alice@contoso.com (guest)"))
  }

  @Test func `request values are escaped in pages`() throws {
    let script = "\"'><script>alert(1)</script>&"
    let query = FormFields.escape(script)
    let (userCode, _) = try device(
      .init(device: "/oidc/main/device", token: "/oidc/main/token", scope: script), client: script)
    let pages = [
      bench.get("/device?user_code=\(query)"),
      bench.post("/device", ["user_code": script]),
      bench.post("/device", ["user_code": userCode, "username": script]),
      bench.post("/device", ["user_code": userCode, "username": "alice@contoso.com"]),
    ]
    for page in pages {
      #expect(!page.text.lowercased().contains("<script"))
      #expect(!page.text.contains(script))
    }
    #expect(pages[3].text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"))
  }

  @Test func `a quote with a combining mark is escaped`() {
    let code = FormFields.escape("\"\u{301} autofocus onfocus=\"\u{301}")
    let page = bench.get("/device?user_code=\(code)").text
    #expect(page.unicodeScalars.contains("\u{301}"))
    #expect(page.contains("value=\"&quot;\u{301} autofocus onfocus=&quot;\u{301}\""))
  }

  @Test func `the page allows no scripts and no frames`() {
    let policy = bench.get("/device").response.headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("default-src 'none'"))
    #expect(policy.contains("frame-ancestors 'none'"))
  }
}
