// SPDX-License-Identifier: MIT
// Configuration and request documents, passed to the functions of the C interface.

import CTessera
import TesseraC
import TesseraWire

/// An in-memory application without network access.
final class Documents {
  private let application: OpaquePointer?
  private let cancelled = tessera_cancellation_create()
  private static let configuration = """
    {"client_id":"app","store":{"kind":"memory"},"authority":"https://login.example/tenant",
     "authority_type":"openid","network":{"proxy":"http://127.0.0.1:9","timeout_milliseconds":1000}}
    """

  /// The choice for tessera_application_explain().
  private static let explanation: UInt8 = 6

  init() {
    var made: OpaquePointer?
    var response: UnsafeMutablePointer<CChar>?
    _ = tessera_application_create(Documents.configuration, nil, &made, &response)
    tessera_string_free(response)
    application = made
    tessera_cancellation_cancel(cancelled)
  }

  func fuzz(_ input: FuzzInput) {
    let document = input.bytes.map { CChar(bitPattern: $0) } + [0]
    var response: UnsafeMutablePointer<CChar>?
    let status = call(input.choice, document, &response)
    require((0...7).contains(status), "the status is one of the header's")
    guard let response else { return require(false, "there is an answer") }
    defer { tessera_string_free(response) }
    let answer = (try? JSONValue(parsing: String(cString: response)))?.object
    require(answer != nil, "an answer is a JSON object")
    let code = answer?["error"]?.object?["code"]?.string
    // An explanation contains the error of the explained call.
    let explains = input.choice == Documents.explanation && status == 0
    require(explains || (status == 0) == (code == nil), "an error has a code, a result has none")
    require(code != "internal_error", "no input is our mistake")
  }

  private func call(
    _ choice: UInt8, _ document: [CChar], _ response: inout UnsafeMutablePointer<CChar>?
  ) -> tessera_status {
    switch choice {
    case 0:
      var made: OpaquePointer?
      defer { tessera_application_free(made) }
      return tessera_application_create(document, nil, &made, &response)
    case 1: return tessera_application_acquire_token_silent(application, document, nil, &response)
    case 2: return tessera_application_get_account(application, document, nil, &response)
    case 3: return tessera_application_remove_account(application, document, nil, &response)
    case Documents.explanation:
      return tessera_application_explain(application, document, nil, &response)
    case 4: return tessera_application_get_accounts(application, document, nil, &response)
    case 7: return tessera_application_sign_out(application, document, cancelled, &response)
    case 8: return tessera_application_rotate_store_key(application, document, nil, &response)
    case 9: return tessera_token_describe(document, &response)
    case 10: return tessera_application_get_store_info(application, document, nil, &response)
    default:
      let prompt: tessera_device_code_callback = { _, _ in }
      return tessera_application_acquire_token_by_device_code(
        application, document, prompt, nil, cancelled, &response)
    }
  }
}
