// SPDX-License-Identifier: MIT
// The single sign-on extension of Apple systems: requests, responses, failures, and tokens that are stored.

import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let caller = SSOExtensionCaller(brokerKey: Secret("the-key"))

/// Returns the parameters of an operation, without those of the caller.
private func options(_ action: SSOExtensionAction) throws -> [String: String] {
  var options = try SSOExtensionRequest(action, from: caller).options()
  expect(options.removeValue(forKey: "broker_key"), "the-key")
  expect(options.removeValue(forKey: "msg_protocol_ver"), "4")
  return options
}

/// Checks the requests for tokens.
func checkSSOExtensionTokenRequests() throws {
  var tokens = SSOExtensionTokenRequest(
    authority: "https://login.microsoftonline.com/common", clientID: "client",
    redirectURI: "msauth.com.contoso.app://auth", scopes: ["read", "write"])
  tokens.provider = SSOExtensionProvider.entra
  tokens.account = SSOExtensionAccountIdentifier(homeAccountID: "uid.utid")
  tokens.forcesRefresh = true
  tokens.sentAt = Date(timeIntervalSince1970: 1_800_000_000)
  var interactive = SSOExtensionInteractiveOptions()
  interactive.prompt = "login"
  interactive.extraScopesToConsent = ["mail"]
  var parameters = [
    "authority": "https://login.microsoftonline.com/common", "client_id": "client",
    "provider_type": "provider_aad_v2", "redirect_uri": "msauth.com.contoso.app://auth",
    "scope": "read write", "home_account_id": "uid.utid", "force_refresh": "1",
    "instance_aware": "0", "skip_validate_result_account": "0",
    "extra_oidc_scopes": "openid profile offline_access",
    "request_sent_timestamp": "1800000000.0000000000",
  ]
  expect(try options(.refresh(tokens)), parameters)
  parameters["prompt"] = "login"
  parameters["extra_consent_scopes"] = "mail"
  let login = SSOExtensionAction.login(tokens, interactive)
  expect(try options(login), parameters)
  expect(SSOExtensionRequest(login, from: caller).operation, "login")
  tokens.account = SSOExtensionAccountIdentifier()
  expectError(.missingParameter) { _ = try options(.refresh(tokens)) }
  expectCases(
    of: SSOExtensionProvider.self,
    [
      "provider_aad_v1", "provider_aad_v2", "provider_b2c", "provider_ciam", "provider_adfs",
    ])
}

/// Checks the requests for accounts, cookies, passkeys and sign-outs.
func checkSSOExtensionRequests() throws {
  var signOut = SSOExtensionSignOut(
    SSOExtensionAccountIdentifier(username: "alice@contoso.com"), clientID: "client",
    authority: "https://login.microsoftonline.com/common", redirectURI: "app://auth")
  signOut.wipesAccount = true
  expect(
    try options(.signOut(signOut)),
    [
      "username": "alice@contoso.com", "client_id": "client", "redirect_uri": "app://auth",
      "authority": "https://login.microsoftonline.com/common", "provider_type": "provider_aad_v2",
      "signout_from_browser": "1", "clear_sso_extension_cookies": "0", "wipe_account": "1",
      "wipe_cache_all_accounts": "0",
    ])
  let cookies = SSOExtensionCookieRequest(
    url: "https://login.microsoftonline.com/", headers: [SSOExtensionHeader.primaryRefreshToken])
  expect(
    try options(.cookies(cookies)),
    ["sso_url": "https://login.microsoftonline.com/", "types_of_header": "1"])
  expectCases(of: SSOExtensionHeader.self, [0, 1, 2])
  let passkey = SSOExtensionPasskeyRequest(
    clientDataHash: Array("sample".utf8), relyingPartyID: "login.microsoft.com",
    keyID: Array("id".utf8))
  expect(
    try options(.passkeyAssertion(passkey)),
    [
      "clientDataHash": "73616d706c65", "relyingPartyId": "login.microsoft.com", "keyId": "6964",
    ])
  let accounts = SSOExtensionAction.accounts(clientID: "c", familyID: "1", signedInOnly: false)
  expect(accounts.operation, "get_accounts_operation")
  expect(
    try options(accounts),
    ["client_id": "c", "family_id": "1", "signed_in_accounts_only": "0"])
}

/// Returns a successful response of the extension.
private func response(
  _ operation: String, _ type: String, _ fields: [String: String] = [:]
) throws -> SSOExtensionResponse {
  let common = [
    "operation": operation, "operation_response_type": "operation_\(type)_response", "success": "1",
  ]
  return try SSOExtensionResponse(headers: fields.merging(common) { $1 })
}

/// Checks a response with the state of the device.
func checkSSOExtensionDevice() throws {
  let response = try response(
    "get_device_info", "generic",
    [
      "device_mode": "shared", "wpj_status": "joined", "broker_version": "1.2.3",
      "sso_extension_mode": "silent_only", "sso_provider_type": "companyPortal",
      "platform_sso_status": "platformSSOEnabledAndRegistered", "client_app_version": "5.4",
      "preferred_auth_config": "preferredAuthQRPIN",
      "response_gen_timestamp": "1700000001.5000000000",
      "request_received_timestamp": "1700000000.2500000000",
    ])
  expect(response.operation, "get_device_info")
  expect(response.type, "operation_generic_response")
  expect(response.hasSucceeded)
  expect(response.appVersion, "5.4")
  expect(response.requestReceivedAt, Date(timeIntervalSince1970: 1_700_000_000))
  expect(response.responseCreatedAt, Date(timeIntervalSince1970: 1_700_000_001))
  expect(response.content, SSOExtensionResponse.Content.nothing)
  let device: SSOExtensionDevice = response.device
  expect(device.mode, SSOExtensionDevice.Mode.shared)
  expect(device.extensionMode, SSOExtensionDevice.ExtensionMode.silentOnly)
  expect(device.joinStatus, SSOExtensionDevice.JoinStatus.joined)
  expect(device.platformSSO, SSOExtensionDevice.PlatformSSO.registered)
  expect(device.provider, SSOExtensionDevice.Provider.companyPortal)
  expect(device.preferredMethod, SSOExtensionDevice.PreferredMethod.qrPIN)
  expectCases(of: SSOExtensionDevice.Mode.self, ["personal", "shared"])
  expectCases(of: SSOExtensionDevice.ExtensionMode.self, ["full", "silent_only"])
  expectCases(of: SSOExtensionDevice.JoinStatus.self, ["notJoined", "joined"])
  expectCases(of: SSOExtensionDevice.Provider.self, ["unknown", "companyPortal", "macBroker"])
  expect(device.brokerVersion, "1.2.3")
  expect(device.clientFlights, nil)
  let error = expectError(.ssoExtensionFailed) { _ = try SSOExtensionResponse(headers: [:]) }
  expect(error.remedy, .signIn)
}

/// Checks responses with accounts, cookies and passkeys.
func checkSSOExtensionResponses() throws {
  let listed = try response(
    "get_accounts_operation", "get_accounts",
    [
      "accounts": """
      [{"home_account_id": "uid.utid", "username": "alice@contoso.com", "realm": "utid", \
      "environment": "login.microsoftonline.com", "is_sso_account": "1", "given_name": "Alice"}]
      """
    ])
  guard case .accounts(let accounts) = listed.content else { failContent(listed) }
  let account: SSOExtensionAccount = expectValue(accounts.first)
  expect(account.homeAccountID, "uid.utid")
  expect(account.username, "alice@contoso.com")
  expect(account.realm, "utid")
  expect(account.givenName, "Alice")
  expect(account.isSSOAccount)
  expect(account.claims, nil)
  let headers = try response(
    "get_sso_cookies", "get_sso_cookies",
    [
      "sso_cookies": """
      {"prt_headers": [{"header": {"x-ms-RefreshTokenCredential": "the-header"}, \
      "home_account_id": "uid.utid", "displayable_id": "alice@contoso.com"}], \
      "device_headers": [{"header": {"x-ms-DeviceCredential": "device"}, "tenant_id": "utid"}]}
      """
    ])
  guard case .cookies(let content) = headers.content else { failContent(headers) }
  let cookies: SSOExtensionCookies = content
  let field: SSOExtensionCookies.Field = expectValue(cookies.users.first)
  expect(field.name, "x-ms-RefreshTokenCredential")
  expect(field.value.reveal(), "the-header")
  expect(field.username, "alice@contoso.com")
  expect(cookies.devices.map(\.tenantID), ["utid"])
  try checkPasskeys()
}

/// Checks responses with a passkey and its assertion.
private func checkPasskeys() throws {
  let signed = try response(
    "passkey_assertion_operation", "get_passkey_assertion",
    ["signature": "01", "authenticatorData": "0203", "credentialId": "04"])
  guard case .passkeyAssertion(let content) = signed.content else { failContent(signed) }
  let assertion: SSOExtensionPasskeyAssertion = expectValue(content)
  expect(assertion.signature, [1])
  expect(assertion.authenticatorData, [2, 3])
  expect(assertion.credentialID, [4])
  let found = try response(
    "passkey_credential_operation", "get_passkey_credential",
    ["credentialKeyId": "05", "userHandle": "06", "userName": "alice"])
  guard case .passkeyCredential(let content) = found.content else { failContent(found) }
  let credential: SSOExtensionPasskeyCredential = expectValue(content)
  expect(credential.keyID, [5])
  expect(credential.userHandle, [6])
  expect(credential.username, "alice")
}

/// Ends the program because of the content of a response.
private func failContent(_ response: SSOExtensionResponse, line: UInt = #line) -> Never {
  fail("the content is \(response.content)", file: #fileID, line: line)
}

/// Checks that tokens of the extension are stored, and that its errors are mapped.
func checkSSOExtensionTokens() throws {
  let elsewhere = try LocalMachine().entraApplication().signIn()
  let ids = elsewhere.account.homeAccountID.split(separator: ".")
  let clientInfo = Data(#"{"uid":"\#(ids[0])","utid":"\#(ids[1])"}"#.utf8).base64EncodedString()
  let machine = LocalMachine()
  let headers = [
    "operation": "login", "operation_response_type": "operation_token_response", "success": "1",
    "authority": machine.provider.entraAuthority(), "provider_type": "provider_aad_v2",
    "access_token": elsewhere.accessToken.reveal(), "refresh_token": "from-the-broker",
    "id_token": elsewhere.idToken?.reveal() ?? "", "token_type": "Bearer", "scope": "read",
    "expires_in": "3600", "client_info": clientInfo.split(separator: "=").joined(),
  ]
  let parsed = try SSOExtensionResponse(headers: headers)
  guard case .tokens(let content) = parsed.content else { failContent(parsed) }
  let tokens: SSOExtensionTokenResponse = content
  expect(tokens.provider, .entra)
  expect(tokens.scopes, ["read"])
  expect(tokens.authority, machine.provider.entraAuthority())
  expect(tokens.hasAdditionalTokens, false)
  expect(tokens.error?.message, nil)
  var completion = SSOExtensionCompletion(headers: headers, scopes: ["read"])
  completion.homeAccountID = elsewhere.account.homeAccountID
  let application = try machine.entraApplication()
  let stored = try application.storeSSOExtensionTokens(completion)
  expect(stored.account, elsewhere.account)
  expect(try application.silentToken(stored.account).accessToken, elsewhere.accessToken)
  completion.homeAccountID = "another.account"
  expectError(.accountMismatch) { _ = try application.storeSSOExtensionTokens(completion) }
  var fault = SSOExtensionFailure.Fault(domain: "MSIDErrorDomain", code: -51415)
  fault.details = ["MSIDGrantedScopesKey": "a b", "MSIDDeclinedScopesKey": "c"]
  let failure = SSOExtensionFailure(
    SSOExtensionFailure.Fault(
      domain: "com.apple.AuthenticationServices.AuthorizationError", code: -6000),
    underlying: fault)
  expect(failure.error.code, .serverDeclinedScopes)
  expect(failure.error.grantedScopes, ["a", "b"])
  expect(failure.error.declinedScopes, ["c"])
}
