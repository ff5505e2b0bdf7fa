// SPDX-License-Identifier: MIT
// Requests with a resource instead of scopes, as in ADAL.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct ResourceTests {
  private let bench = TestBench()

  @Test(arguments: TestVector.all(in: "scopes_and_accounts", areas: "scopes"))
  func `a resource is requested with its default scope`(_ vector: TestVector) throws {
    guard vector.name.hasPrefix("resource "), let resource = vector.input.string else { return }
    let scope = try #require(vector.expected.string)
    #expect(DeviceCodeRequest(resource: resource).scopes == [scope])
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, resource: resource)
    #expect(request.scopes == [scope])
    _ = try application.acquireTokenSilent(request)
    let body = try #require(bench.transport.requests.last?.body)
    let form = FormFields(decoding: String(decoding: body, as: UTF8.self))
    #expect(form["scope"] == scope + " openid profile offline_access")
    #expect(try application.acquireTokenSilent(request).source == .cache)
  }

  @Test func `an empty resource is rejected`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    expect(.invalidMember) {
      _ = try application.acquireTokenSilent(SilentRequest(account: account, resource: ""))
    }
  }
}
