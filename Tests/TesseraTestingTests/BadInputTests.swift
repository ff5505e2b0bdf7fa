// SPDX-License-Identifier: MIT
// Invalid requests to the local provider.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct BadInputTests {
  let bench = Bench()
  private let token = "/common/oauth2/v2.0/token"

  private func send(_ body: [UInt8], type: String? = "application/x-www-form-urlencoded")
    -> Bench.Answer
  {
    let headers = type.map { [HTTPHeader("content-type", $0)] } ?? []
    return Bench.Answer(
      response: bench.provider.handle(
        HTTPRequest(method: "POST", url: Bench.origin + token, headers: headers, body: body)))
  }

  @Test(arguments: [
    "/nothing", "/oidc", "/oidc/main", "/oidc//token", "/oidc/a%20b/token", "/_control",
    "/common/oauth2/token", "/device/more", "/%", "/common/oauth2/v2.0/introspect",
    "/common/oauth2/v2.0/token/",
  ])
  func `an unknown path returns 404`(path: String) {
    let expected = path.hasSuffix("token/") ? 405 : 404
    #expect(bench.get(path).status == expected)
  }

  @Test func `a wrong method returns 405 with the allowed methods`() {
    let answer = bench.get(token)
    #expect(answer.status == 405)
    #expect(answer.response.headers["Allow"] == "POST")
    #expect(bench.post("/oidc/main/keys", [:]).status == 405)
  }

  @Test func `a body that is not a form is rejected`() {
    #expect(send(Array("{}".utf8), type: "application/json")["error"] == "invalid_request")
    #expect(send(Array("grant_type=refresh_token".utf8), type: nil)["error"] == "invalid_request")
    #expect(send([0xFF, 0xFE, 0x00])["error"] == "invalid_request")
    #expect(send([])["error"] == "invalid_request")
    #expect(send(Array("&&==&=&%%%".utf8))["error"] == "invalid_request")
  }

  @Test func `a form of two megabytes is rejected`() {
    let answer = send(Array(repeating: UInt8(ascii: "a"), count: 2_000_000))
    #expect(answer.status == 413)
  }

  @Test func `a repeated parameter is rejected`() {
    let answer = send(Array("client_id=a&client_id=b&grant_type=refresh_token".utf8))
    #expect(answer["error"] == "invalid_request")
  }

  @Test func `an unknown grant type is rejected`() {
    let answer = bench.post(token, ["client_id": "app", "grant_type": "password"])
    #expect(answer["error"] == "unsupported_grant_type")
    #expect(answer.json["error_codes"] == [70003])
  }

  @Test func `an unknown refresh token is rejected`() {
    let answer = bench.refresh(.entra("common"), "made up")
    #expect(answer["error"] == "invalid_grant")
    #expect(answer["suberror"] == "bad_token")
  }

  @Test func `an Entra error includes correlation ID, trace ID and timestamp`() throws {
    let id = "7b3c1a52-0c6c-4f7e-9a43-6c4a4b4fd0a1"
    let answer = bench.post(token, [:], headers: [HTTPHeader("client-request-id", id)])
    #expect(answer["correlation_id"] == id)
    #expect(answer.response.headers["client-request-id"] == id)
    #expect(answer["timestamp"] == "2027-01-01 00:00:00Z")
    let error = try #require(ServerError(answer.response))
    #expect(error.serverCodes == [900144])
    #expect(error.traceID != nil)
  }

  @Test func `an invalid correlation ID is not echoed`() {
    let answer = bench.post(
      token, [:], headers: [HTTPHeader("client-request-id", "x\r\nSet-Cookie: a=b")])
    #expect(answer["correlation_id"]?.contains("Cookie") == false)
  }

  @Test func `an error of an OpenID Connect issuer has only the standard members`() {
    let answer = bench.post("/oidc/main/token", [:])
    #expect(answer.json.members.map(\.name) == ["error", "error_description"])
  }
}
