// SPDX-License-Identifier: MIT
// Tests of the Linux broker's messages: calls, responses and errors.

import TesseraBroker
import TesseraWire
import TestVectors
import Testing

@Suite struct LinuxBrokerTests {
  @Test(arguments: TestVector.all(in: "broker", areas: "broker_calls"))
  func `a call has the method and the body that brokers expect`(_ vector: TestVector) throws {
    let call = try #require(made(vector))
    #expect(call.method.rawValue == vector.expected["method"]?.string)
    #expect(JSONValue.object(call.body) == vector.expected["body"])
    #expect(try JSONValue(parsing: call.text) == vector.expected["body"])
  }

  @Test(arguments: TestVector.all(in: "broker", areas: "broker_answers"))
  func `a response is parsed in the formats of all brokers`(_ vector: TestVector) throws {
    let text = try #require(vector.input["answer"]?.string)
    let read = try #require(vector.input["read"]?.string)
    #expect(try value(read, LinuxBrokerResponse(text)) == vector.expected)
  }

  @Test(arguments: TestVector.all(in: "broker", areas: "broker_failures"))
  func `an error response is parsed into its status and message`(_ vector: TestVector) throws {
    let text = try #require(vector.input["answer"]?.string)
    let read = try #require(vector.input["read"]?.string)
    let failure = #expect(throws: LinuxBrokerError.self) {
      _ = try value(read, LinuxBrokerResponse(text))
    }
    guard case .errorResponse(let errorResponse)? = failure else {
      return #expect(vector.expected == "malformed")
    }
    #expect(errorResponse.status?.rawValue == vector.expected["status"]?.integer)
    #expect(
      errorResponse.number == (vector.expected["status"] ?? vector.expected["number"])?.integer)
    #expect(errorResponse.context == vector.expected["context"]?.string)
    #expect(errorResponse.subError == vector.expected["sub_error"]?.string)
    #expect(errorResponse.tag == vector.expected["tag"]?.integer)
    #expect(
      errorResponse.serverCodes == vector.expected["server_codes"]?.array?.compactMap(\.integer))
  }

  @Test func `a response over the size limit is rejected`() {
    let text = "{\"a\":\"" + String(repeating: "x", count: LinuxBroker.maximumResponseSize) + "\"}"
    #expect(throws: LinuxBrokerError.self) { try LinuxBrokerResponse(text) }
  }

  private func value(_ read: String, _ answer: LinuxBrokerResponse) throws -> JSONValue {
    switch read {
    case "tokens": .object(try answer.tokenResponse())
    case "version": .string(try answer.version())
    case "accounts": .array(try answer.accounts().map { .string($0.homeAccountID) })
    case "cookies":
      .array(try answer.cookies().map { [.string($0.name), .string($0.content.reveal())] })
    case "signed": .string(try answer.signedRequest().reveal())
    default: true
    }
  }

  private func made(_ vector: TestVector) -> LinuxBrokerCall? {
    let input = vector.input
    let application = LinuxBrokerApplication(
      clientID: input["client_id"]?.string ?? "", redirectURI: input["redirect_uri"]?.string ?? "")
    var request = LinuxBrokerTokenRequest(
      application, authority: input["authority"]?.string ?? "",
      scopes: input["scopes"]?.array?.compactMap(\.string) ?? [])
    request.account = input["account"]?.object.flatMap(LinuxBrokerAccount.init)
    request.username = input["username"]?.string
    request.prompt = input["prompt"]?.string
    request.claims = input["claims"]?.string
    request.rejectedAccessToken = input["renewed"]?.string.map { Secret($0) }
    for member in input["query"]?.object?.members ?? [] {
      request.extraQuery[member.name] = member.value.string
    }
    request.isInteractive = vector.name.hasPrefix("interactive")
    switch vector.name {
    case "version": return .version(client: input["client"]?.string ?? "")
    case "accounts": return .accounts(of: application)
    case "cookie": return .cookie(request, ssoURL: input["sso_url"]?.string ?? "")
    case "remove account": return request.account.map { .remove($0, of: application) }
    case "cancel": return .cancelInteractive
    case "signed request":
      var signed = LinuxBrokerSignedRequest(
        homeAccountID: input["home_account_id"]?.string ?? "",
        httpMethod: input["http_method"]?.string ?? "", host: input["host"]?.string ?? "",
        path: input["path"]?.string ?? "")
      signed.nonce = input["nonce"]?.string
      signed.keyID = input["key_id"]?.string
      return .signed(signed, of: application)
    default: return .token(request)
    }
  }
}
