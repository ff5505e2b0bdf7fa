// SPDX-License-Identifier: MIT
// Tests of the Microsoft Authenticator messages: the request's parameters, and the checks of a response.

import TesseraApple
import TesseraWire
import TestVectors
import Testing

@Suite struct AuthenticatorMessageTests {
  private static let expected = AuthenticatorExpectation(
    redirectURI: "msauth.app://auth", nonce: Secret("NONCE"),
    key: AuthenticatorKey([UInt8](repeating: 7, count: 32)))

  @Test(arguments: TestVector.all(in: "authenticator", areas: "authenticator.request"))
  func `a request has the parameters of MSAL for Apple`(_ vector: TestVector) throws {
    let request = try AuthenticatorRequest(vector.input)
    let link = AuthenticatorLink(redirectURI: request.redirectURI)
    guard let expected = vector.expected["fields"]?.object else {
      #expect(throws: WireError.self) { try request.address(over: link) }
      return
    }
    let parts = try request.address(over: link).split(separator: "?", maxSplits: 1)
    #expect(parts.first.map(String.init) == vector.expected["link"]?.string)
    let fields = FormFields(decoding: parts.last ?? "").fields
    #expect(Set(fields.map(\.name)).count == fields.count)
    let sent = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    #expect(sent == expected.texts)
  }

  @Test(arguments: TestVector.all(in: "authenticator", areas: "authenticator.fields"))
  func `fields are parsed as in MSAL for Apple`(_ vector: TestVector) throws {
    let text = try #require(vector.input.string)
    let expected = try #require(vector.expected.object).texts
    #expect(AuthenticatorFields(decoding: text).values == expected)
    #expect(AuthenticatorFields(of: "a://b?\(text)#c=d").values == expected)
  }

  @Test(arguments: TestVector.all(in: "authenticator", areas: "authenticator.decrypt"))
  func `decryption returns the plaintext, whose hash matches`(_ vector: TestVector) throws {
    let key = try #require(AuthenticatorKey(Secret(vector.input["key"]?.string ?? "")))
    let bytes = try #require(Base64URL.decodeAnyAlphabet(vector.input["response"]?.string ?? ""))
    let plain = key.decrypt(bytes)
    let text = plain.map { String(decoding: $0, as: UTF8.self) }
    #expect(text == vector.expected["plaintext"]?.string)
    #expect(plain.map(AuthenticatorKey.hash) == vector.expected["hash"]?.string)
  }

  @Test func `a key has exactly 32 bytes, and its description is redacted`() throws {
    #expect(AuthenticatorKey([UInt8](repeating: 1, count: 31)) == nil)
    #expect(AuthenticatorKey(Secret("no key")) == nil)
    let key = try #require(AuthenticatorKey([UInt8](repeating: 1, count: 32)))
    #expect(AuthenticatorKey(key.text) == key)
    #expect("\(key)".contains("<redacted>"))
  }

  @Test func `a response over the size limit is rejected`() {
    let address = "msauth.app://auth?" + String(repeating: "a", count: AuthenticatorResponse.limit)
    #expect {
      try AuthenticatorResponse(Secret(address), to: AuthenticatorMessageTests.expected)
    } throws: {
      ($0 as? WireError)?.code == "authenticator_elsewhere"
    }
  }

  @Test(arguments: [
    "msauth.bpp://auth?x=y", "msauth.app://aut?x=y", "msauth.app://authx?y", "msauth.app://auth.x",
    "?x=y",
  ])
  func `a response at another URL than the redirect URI is rejected`(_ address: String) {
    #expect {
      try AuthenticatorResponse(Secret(address), to: AuthenticatorMessageTests.expected)
    } throws: {
      ($0 as? WireError)?.code == "authenticator_elsewhere"
    }
  }

  @Test func `a device requirement over the size limit is not parsed`() {
    let brokerLink = "msauth://wpj?username=a&app_link=https%3a%2f%2fa.example&x="
    #expect(DeviceRequirement(brokerLink, redirectURI: "msauth.app://auth") != nil)
    let long = brokerLink + String(repeating: "a", count: 1 << 20)
    #expect(DeviceRequirement(long, redirectURI: "msauth.app://auth") == nil)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("a", "b"), ("a", "aa"), ("aé", "aé"), ("e\u{301}", "é"),
  ])
  func `secrets are compared by bytes, not by characters`(_ one: String, _ other: String) {
    #expect(one.isSame(as: other) == Array(one.utf8).elementsEqual(Array(other.utf8)))
  }
}

extension JSONObject {
  fileprivate var texts: [String: String] {
    Dictionary(members.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
  }
}

extension AuthenticatorRequest {
  /// Creates the request of a test vector.
  fileprivate init(_ input: JSONValue) throws {
    func text(_ name: String) -> String? { input[name]?.string }
    self.init(
      authority: text("authority") ?? "", clientID: text("client_id") ?? "",
      redirectURI: text("redirect_uri") ?? "", correlationID: text("correlation_id") ?? "",
      scopes: Scopes(parsing: text("scope") ?? ""),
      key: try #require(AuthenticatorKey(Secret(text("broker_key") ?? ""))),
      nonce: Secret(text("broker_nonce") ?? ""))
    clientVersion = text("client_version")
    if let scopes = text("extra_oidc_scopes") { extraOIDCScopes = Scopes(parsing: scopes) }
    extraConsentScopes = Scopes(parsing: text("extra_consent_scopes") ?? "")
    homeAccountID = text("home_account_id")
    username = text("username")
    loginHint = text("login_hint")
    prompt = text("prompt")
    claims = text("claims")
    clientCapabilities = (input["client_capabilities"]?.array ?? []).compactMap(\.string)
    extraQuery = input["extra_query_parameters"]?.object?.texts ?? [:]
    isInstanceAware = input["instance_aware"]?.bool ?? false
    acceptsOtherAccount = input["accept_other_account"]?.bool ?? false
    applicationToken = text("application_token").map { Secret($0) }
    schemeParameters = input["scheme"]?.object?.texts ?? [:]
    options = AuthenticatorOptions(input["options"] ?? .null)
  }
}

extension AuthenticatorOptions {
  /// Creates the options of a test vector.
  fileprivate init(_ input: JSONValue) {
    self.init()
    clientAppName = input["client_app_name"]?.string
    clientAppVersion = input["client_app_version"]?.string
    sdkCapabilities = (input["sdk_capabilities"]?.array ?? []).compactMap(\.string)
    intune.enrollments = input["intune_enrollment_ids"]?.object.flatMap { IntuneEnrollments($0) }
    intune.mamResources = input["intune_mam_resource"]?.object?.texts ?? [:]
    brokerClientID = input["brk_client_id"]?.string
    brokerRedirectURI = input["brk_redirect_uri"]?.string
    clientSKU = input["client_sku"]?.string
    platformSequence = input["platform_sequence"]?.string
    onboardingBlob = input["onboarding_blob"]?.string
    usesNewMobileOnboarding = input["new_mobile_onboarding_flow"]?.bool ?? false
    redeemsBoundRefreshTokens = input["bound_refresh_tokens"]?.bool ?? false
    federatedCredential = input["user_federated_identity_credential"]?.string.map { Secret($0) }
  }
}
