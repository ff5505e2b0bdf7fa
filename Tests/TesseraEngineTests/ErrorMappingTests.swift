// SPDX-License-Identifier: MIT
// The mapping to error numbers of MSAL for Apple, checked against its test vectors.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct ErrorMappingTests {
  @Test(arguments: TestVector.all(in: "error_mapping", areas: "error_mapping"))
  func `errors have the numbers of the vector`(_ vector: TestVector) throws {
    switch vector.name {
    case "invalid_request + STS 50142", "authorize access_denied/tts_denied":
      let body = try #require(vector.input.object).serializedBytes
      let error = try rejection(HTTPResponse(status: 400, headers: [], body: body))
      let code = vector.expected["app_code"] ?? vector.expected["msid_code"]
      #expect(error.msalCode?.code == code?.integer)
    case "HTTP 403 token response":
      let status = try #require(vector.input["status"]?.integer)
      let error = try rejection(HTTPResponse(status: Int(status), headers: [], body: []))
      // MSAL reports -51500, an unhandled response, to applications with these numbers.
      #expect(error.msalCode?.code == -50000)
      #expect(error.msalCode?.internalCode == -42007)
    case "MSAL internal code wrapped":
      // No error of MSAL is received here. Every code with an internal number has the same outer number.
      let codes: [TesseraError.Code] = [
        .ambiguousAccount, .requestRejected, .flowUnsupported, .issuerMismatch,
      ]
      for code in codes {
        let numbers = TesseraError(.reportBug, code, "").msalCode
        #expect(numbers?.internalCode != nil && numbers?.code == vector.expected["code"]?.integer)
      }
    case "MSID internal gets Unexpected":
      let numbers = TesseraError(.reportBug, .internalError, "").msalCode
      #expect(numbers?.code == vector.expected["code"]?.integer)
      #expect(numbers?.internalCode == vector.expected["internal"]?.integer)
    case "two cached accounts, current account":
      let bench = TestBench()
      let application = try bench.application()
      for user in [LocalUser.alice, .bob].prefix(Int(vector.input["accounts"]?.integer ?? 0)) {
        try bench.signIn(application, as: user)
      }
      let error = #expect(throws: TesseraError.self) { try application.currentAccount() }
      #expect(error?.msalCode?.code == vector.expected["code"]?.integer)
      #expect(error?.msalCode?.internalCode == vector.expected["internal"]?.integer)
      #expect(error?.accounts.count == 2)
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  @Test func `a redirect is reported as a proxy page, and error_codes override the description`()
    throws
  {
    func error(_ status: Int, _ body: String = "") throws -> TesseraError {
      let response = HTTPResponse(status: status, body: Array(body.utf8))
      return try rejection(response)
    }
    #expect(try error(302).message.contains("a proxy or a captive portal"))
    #expect(try !error(404).message.contains("proxy"))
    let described = #"{"error":"invalid_grant","error_description":"AADSTS50076: Use MFA."}"#
    #expect(try error(400, described).code == .mfaRequired)
    #expect(try error(400, described).serverCodes == [50076])
    let listed =
      #"{"error":"invalid_grant","error_description":"AADSTS50076: x","error_codes":[50173]}"#
    #expect(try error(400, listed).code == .refreshTokenRejected)
  }

  private func rejection(_ response: HTTPResponse) throws -> TesseraError {
    TesseraError(try #require(ServerError(response)), correlationID: nil)
  }
}

extension JSONObject {
  fileprivate var serializedBytes: [UInt8] { JSONValue.object(self).bytes }
}
