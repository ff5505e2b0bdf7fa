// SPDX-License-Identifier: MIT
// Tokens of the single sign-on extension: validated, stored and returned by silent calls.

import TesseraApple
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct SSOExtensionTests {
  private let bench = TestBench()

  /// Returns a response of the extension, with tokens that another machine acquired for the user.
  private func setResponse(
    to client: String = "client", change: (inout [String: String]) -> Void = { _ in }
  ) throws -> (headers: [String: String], account: Account) {
    let elsewhere = TestBench()
    let result = try elsewhere.signIn(elsewhere.application(client: client))
    let ids = result.account.homeAccountID.split(separator: ".")
    let info: JSONValue = ["uid": .string(String(ids[0])), "utid": .string(String(ids[1]))]
    var headers = [
      "operation": "login", "operation_response_type": "operation_token_response", "success": "1",
      "authority": bench.provider.entraAuthority("common"), "provider_type": "provider_aad_v2",
      "access_token": result.accessToken.reveal(), "refresh_token": "from-the-broker",
      "id_token": result.idToken?.reveal() ?? "", "token_type": "Bearer", "scope": "user.read",
      "expires_in": "3600", "client_info": Base64URL.encode(info.bytes),
    ]
    change(&headers)
    return (headers, result.account)
  }

  private func credentials() throws -> [CredentialRecord] {
    var selection = SnapshotSelection()
    selection.everything = true
    return try bench.store.snapshot(selection, within: .none).credentials
  }

  @Test func `stored tokens are returned by silent calls of any application object`() throws {
    let (headers, account) = try setResponse()
    var completion = SSOExtensionCompletion(headers: headers, scopes: ["user.read"])
    completion.homeAccountID = account.homeAccountID
    let stored = try bench.application().storeSSOExtensionTokens(completion)
    #expect(stored.account.username == account.username)
    #expect(stored.isPersisted)
    let silent = try bench.application().acquireTokenSilent(
      SilentRequest(account: stored.account, scopes: ["user.read"]))
    #expect(silent.accessToken == stored.accessToken)
    #expect(silent.source == .cache)
    #expect(try credentials().contains { $0.secret == Secret("from-the-broker") })
    #expect(bench.provider.counts.tokenRequests.isEmpty)
  }

  @Test func `the refresh token of another client is not stored`() throws {
    let (headers, _) = try setResponse { $0["client_id"] = "29d9ed98-a469-4536-ade2-f981bc1d605e" }
    _ = try bench.application().storeSSOExtensionTokens(
      SSOExtensionCompletion(headers: headers, scopes: ["user.read"]))
    #expect(try credentials().allSatisfy { $0.type != .refreshToken })
    #expect(try credentials().contains { $0.type == .accessToken })
  }

  @Test func `no access token is stored on a shared device`() throws {
    let (headers, _) = try setResponse { $0["device_mode"] = "shared" }
    let result = try bench.application().storeSSOExtensionTokens(
      SSOExtensionCompletion(headers: headers, scopes: ["user.read"]))
    #expect(result.accessToken.reveal() == headers["access_token"])
    #expect(!result.isPersisted)
    #expect(try credentials().allSatisfy { $0.type != .accessToken })
    #expect(try bench.application().accounts().count == 1)
  }

  @Test func `additional tokens are stored, even from an error response`() throws {
    let (headers, account) = try setResponse()
    var other = headers
    for name in ["operation", "operation_response_type", "success"] { other[name] = nil }
    other["scope"] = "mail.read"
    other["access_token"] = "for-mail"
    let json = JSONObject(other.map { ($0.key, .string($0.value)) })
    var errorHeaders = [
      "operation": "login", "operation_response_type": "operation_token_response", "success": "0",
      "provider_type": "provider_aad_v2", "error": "invalid_grant", "suberror": "consent_required",
    ]
    errorHeaders["additional_token_reponse"] = String(
      decoding: JSONValue.object(json).bytes, as: UTF8.self)
    let application = try bench.application()
    var completion = SSOExtensionCompletion(headers: errorHeaders, scopes: ["user.read"])
    // An ID token in an error response may be from an earlier request.
    completion.nonce = Secret("of-this-request")
    expect(.consentRequired) { _ = try application.storeSSOExtensionTokens(completion) }
    let silent = try application.acquireTokenSilent(
      SilentRequest(account: account, scopes: ["mail.read"]))
    #expect(silent.accessToken.reveal() == "for-mail")
  }

  @Test func `an error response without additional tokens needs no network`() throws {
    let errorHeaders = [
      "operation": "login", "operation_response_type": "operation_token_response", "success": "0",
      "provider_type": "provider_aad_v2", "error": "invalid_grant", "suberror": "consent_required",
    ]
    expect(.consentRequired) {
      _ = try bench.application().storeSSOExtensionTokens(
        SSOExtensionCompletion(headers: errorHeaders, scopes: ["user.read"]))
    }
    #expect(bench.transport.requests.isEmpty)
  }

  @Test func `additional tokens of another account are not stored`() throws {
    let (headers, account) = try setResponse()
    let other = LocalUser.bob.homeAccountID.split(separator: ".").map {
      JSONValue.string(String($0))
    }
    let info: JSONValue = ["uid": other[0], "utid": other[1]]
    let foreign: JSONObject = [
      "access_token": "for-mail", "token_type": "Bearer", "scope": "mail.read",
      "expires_in": "3600", "client_info": .string(Base64URL.encode(info.bytes)),
    ]
    let both = headers.merging(
      ["additional_token_reponse": JSONValue.object(foreign).serialized], uniquingKeysWith: { $1 })
    _ = try bench.application().storeSSOExtensionTokens(
      SSOExtensionCompletion(headers: both, scopes: ["user.read"]))
    #expect(try credentials().allSatisfy { $0.homeAccountID == account.homeAccountID })
  }

  @Test func `a result names the declined scopes`() throws {
    let (headers, _) = try setResponse()
    let result = try bench.application().storeSSOExtensionTokens(
      SSOExtensionCompletion(headers: headers, scopes: ["user.read", "mail.read"]))
    #expect(result.declinedScopes == ["mail.read"])
    #expect(result.accessToken.reveal() == headers["access_token"])
  }

  @Test(arguments: [
    ("authority", "https://login.other.example/common", TesseraError.Code.issuerMismatch),
    ("id_token", "a.b.c", .invalidIDToken),
    ("client_info", "", .invalidResponse),
    ("token_type", "Pop", .invalidResponse),
    ("operation_response_type", "operation_generic_response", .invalidMember),
    ("operation_response_type", "operation_other", .ssoExtensionFailed),
  ])
  func `an invalid response is rejected, and nothing is stored`(
    _ name: String, _ value: String, _ code: TesseraError.Code
  ) throws {
    let (headers, _) = try setResponse { $0[name] = value }
    expect(code) {
      _ = try bench.application().storeSSOExtensionTokens(
        SSOExtensionCompletion(headers: headers, scopes: ["user.read"]))
    }
    #expect(try credentials().isEmpty)
  }

  @Test func `tokens of another account, client or sign-in are rejected`()
    throws
  {
    let (headers, _) = try setResponse()
    var completion = SSOExtensionCompletion(headers: headers, scopes: ["user.read"])
    completion.homeAccountID = "somebody.else"
    expect(.accountMismatch) {
      _ = try bench.application().storeSSOExtensionTokens(completion)
    }
    completion.homeAccountID = nil
    expect(.invalidIDToken) {
      _ = try bench.application(client: "other").storeSSOExtensionTokens(completion)
    }
    completion.nonce = Secret("another")
    expect(.invalidIDToken) { _ = try bench.application().storeSSOExtensionTokens(completion) }
    #expect(try credentials().isEmpty)
    completion.nonce = nil
    completion.homeAccountID = "somebody.else"
    completion.acceptsOtherAccount = true
    _ = try bench.application().storeSSOExtensionTokens(completion)
    #expect(try !credentials().isEmpty)
  }
}
