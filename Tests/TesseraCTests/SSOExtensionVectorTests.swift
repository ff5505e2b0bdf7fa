// SPDX-License-Identifier: MIT
// Requests and responses of the single sign-on extension, checked through the C interface.

import CTessera
import TesseraWire
import TestVectors
import Testing

#if TesseraApple
  @Suite struct SSOExtensionVectorTests {
    private typealias Function = (
      UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> tessera_status

    @Test(arguments: TestVector.all(in: "sso_extension", areas: "sso_extension.request"))
    func `a request is equal to that of MSAL for Apple`(_ vector: TestVector) throws {
      let answer = try answer(of: tessera_sso_extension_request, to: vector.input)
      if let code = vector.expected["error"]?.string {
        #expect(answer["error"]?["code"]?.string == code)
      } else {
        #expect(answer == vector.expected)
      }
    }

    @Test(
      arguments: TestVector.all(
        in: "sso_extension", areas: "sso_extension.response", "sso_extension.failure"))
    func `a response is equal to the expected document`(_ vector: TestVector) throws {
      let answer = try answer(of: tessera_sso_extension_response, to: vector.input)
      if let expected = vector.expected["error"] {
        // An error document has further members, such as the message and the causes.
        #expect(expected.matches(answer["error"]), "\(answer)")
      } else {
        #expect(answer == vector.expected)
      }
    }

    @Test func `error documents do not quote the input`() throws {
      let secret = "s3cr3t-t0k3n"
      for type in [
        "operation_token_response", "operation_other", "operation_get_accounts_response",
      ] {
        let input: JSONValue = [
          "headers": [
            "operation": "login", "success": "1", "access_token": .string(secret),
            "accounts": .string("[\(secret)"), "operation_response_type": .string(type),
          ]
        ]
        let answer = try answer(of: tessera_sso_extension_response, to: input)
        if type == "operation_other" {
          #expect(answer["error"]?["code"] == "sso_extension_failed")
        }
        #expect((answer["error"] != nil) == (type != "operation_generic_response"))
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains(secret))
      }
    }

    private func answer(of function: Function, to request: JSONValue) throws -> JSONValue {
      var response: UnsafeMutablePointer<CChar>?
      let text = String(decoding: request.bytes, as: UTF8.self)
      let status = text.withCString { function($0, &response) }
      defer { tessera_string_free(response) }
      let answer = try JSONValue(parsing: String(cString: try #require(response)))
      #expect((status == Int32(TESSERA_STATUS_OK)) == (answer["error"] == nil))
      return answer
    }
  }
#endif
