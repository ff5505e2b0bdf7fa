// SPDX-License-Identifier: MIT
// Responses of Apple's single sign-on extension, and enrollments of the Intune library.

import CTessera
import TesseraApple
import TesseraEngine
import TesseraWire

/// Fuzzes header fields of responses, errors with broker details, and enrollments.
func fuzzSSOExtension(_ input: FuzzInput) {
  switch input.choice {
  case 0: fuzzHeaders(object(input.bytes))
  case 1:
    // Each response type with the same members.
    guard let json = object(input.bytes) else { return }
    for kind in kinds {
      fuzzHeaders(
        json.overlaid(with: [
          "operation_response_type": .string("operation_\(kind)_response"), "success": "1",
          "operation": "login",
        ]))
    }
  case 2:
    guard let enrollments = IntuneEnrollments(input.text) else { return }
    require(IntuneEnrollments(enrollments.text) == enrollments, "enrolments read as written")
    _ = enrollments.id(homeAccountID: "uid.utid", username: "alice@contoso.com")
    _ = enrollments.id(homeAccountID: nil, username: nil)
  case 3: answer(tessera_sso_extension_request, input.text)
  default: answer(tessera_sso_extension_response, input.text)
  }
}

private let kinds = [
  "generic", "get_accounts", "get_default_account", "get_sso_cookies", "token",
  "get_passkey_assertion", "get_passkey_credential", "browser_native_message",
  "browser_native_get_supported_contracts",
]

private func fuzzHeaders(_ fields: JSONObject?) {
  guard let fields, let response = try? SSOExtensionResponse(fields) else { return }
  let document = response.json
  require((try? JSONValue(parsing: document.bytes)) != nil, "an answer is a document")
  guard case .tokens(let answer) = response.content else { return }
  require(answer.isError == (answer.error != nil), "a rejection has a reason")
  require(answer.error?.remedy != .reportBug, "a broker cannot make us report a bug")
  _ = (answer.tokenResponse, answer.additionalResponse)
}

/// Checks that the library returns a JSON document for any request.
private func answer(
  _ function: (UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) ->
    tessera_status, _ text: String
) {
  var response: UnsafeMutablePointer<CChar>?
  let status = text.withCString { function($0, &response) }
  defer { tessera_string_free(response) }
  guard let response else { return require(false, "there is an answer") }
  let document = try? JSONValue(parsing: String(cString: response))
  require(document?.object != nil, "an answer is a document")
  require((document?.object?["error"] == nil) == (status == 0), "the status matches the response")
  require(status != Int32(TESSERA_STATUS_REPORT_BUG), "a host cannot make us report a bug")
}
