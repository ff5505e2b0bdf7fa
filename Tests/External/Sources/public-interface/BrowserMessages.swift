// SPDX-License-Identifier: MIT
// Native messages of web pages that a browser forwards to the broker.

import Tessera

/// Checks the parameters of a message.
func checkBrowserMessages() throws {
  var request = BrowserTokenRequest(
    clientID: "client", scopes: ["user.read", "openid"],
    redirectURI: "https://login.microsoft.com")
  request.homeAccountID = "uid.utid"
  request.isSTS = true
  request.canShowUI = false
  request.extraParameters = ["k1": "v1"]
  let method = BrowserMessage.Method.getToken(request)
  expect(method.name, "GetToken")
  let message = BrowserMessage(method, from: "https://login.microsoft.com")
  expect(message.sender, "https://login.microsoft.com")
  var process = BrowserProcess(bundleID: "com.browser")
  process.teamID = "team"
  let options = try SSOExtensionRequest(
    .browserMessage(message, from: process), from: SSOExtensionCaller(brokerKey: nil)
  ).options()
  expect(options["parent_process_teamId"], "team")
  expect(options["parent_process_bundle_identifier"], "com.browser")
  expect(options["parent_process_localized_name"], nil)
  expect(
    options["payload"],
    """
    {"method":"GetToken","sender":"https://login.microsoft.com","request":{"clientId":"client",\
    "scope":"user.read openid","redirectUri":"https://login.microsoft.com",\
    "accountId":"uid.utid","isSts":true,"instance_aware":false,"canShowUI":false,\
    "extraParameters":{"k1":"v1"}}}
    """)
  try checkResponse()
}

/// Checks the broker's response to a message.
private func checkResponse() throws {
  let response = try SSOExtensionResponse(headers: [
    "operation": "browser_native_message_operation", "success": "1",
    "operation_response_type": "operation_browser_native_message_response",
    "payload": """
    {"account": {"userName": "alice@contoso.com", "id": "uid.utid"}, "state": "s", \
    "properties": {"MATS": "{\\"is_cached\\":false}"}, \
    "response": [{"name": "x-ms-RefreshTokenCredential", "data": "the-cookie"}]}
    """,
  ])
  guard case .browserMessage(let content) = response.content else {
    fail("the content is \(response.content)", file: #fileID, line: #line)
  }
  let answer: BrowserMessageResponse = content
  expect(answer.homeAccountID, "uid.utid")
  expect(answer.username, "alice@contoso.com")
  expect(answer.state, "s")
  expect(answer.report, #"{"is_cached":false}"#)
  expect(answer.payload.reveal().contains("the-cookie"))
  let cookie: BrowserMessageResponse.Cookie = expectValue(answer.cookies.first)
  expect(cookie.name, "x-ms-RefreshTokenCredential")
  expect(cookie.value, Secret("the-cookie"))
}
