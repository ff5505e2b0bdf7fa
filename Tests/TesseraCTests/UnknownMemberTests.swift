// SPDX-License-Identifier: MIT
// The errors for unknown members, with their suggestions.

import CTessera
import TesseraWire
import Testing

@Suite struct UnknownMemberTests {
  @Test(arguments: [
    (#"{"client_id":"c","clientid":"d"}"#, "clientid", "Did you mean \"client_id\"?"),
    (#"{"clientId":"c"}"#, "clientId", "Did you mean \"client_id\"?"),
    (#"{"clinet_id":"c"}"#, "clinet_id", "Did you mean \"client_id\"?"),
    (#"{"client_id":"c","tenent":"d"}"#, "tenent", "Did you mean \"tenant\"?"),
    (
      #"{"client_id":"c","client-capability":[]}"#, "client-capability",
      "Did you mean \"client_capabilities\"?"
    ),
  ])
  func `the message suggests a similar member`(
    _ configuration: String, _ name: String, _ suggestion: String
  ) throws {
    #expect(
      try UnknownMemberTests.message(configuration)
        == "configuration has an unknown member \"\(name)\". \(suggestion)")
  }

  @Test func `the message lists the members if none is similar`() throws {
    let message = try UnknownMemberTests.message(#"{"client_id":"c","password":"d"}"#)
    #expect(message.contains("\"password\". Known members: client_id, redirect_uri,"))
  }

  /// Returns the message of the error for a configuration with an unknown member.
  private static func message(_ configuration: String) throws -> String {
    var application: OpaquePointer?
    var response: UnsafeMutablePointer<CChar>?
    let status = tessera_application_create(configuration, nil, &application, &response)
    defer { tessera_string_free(response) }
    #expect(status == Int32(TESSERA_STATUS_FIX_REQUEST))
    #expect(application == nil)
    let json = try JSONValue(parsing: String(cString: try #require(response)))
    let error = try #require(json.object?["error"]?.object)
    #expect(error["code"]?.string == "unknown_member")
    #expect(error["remedy"]?.string == "fix_request")
    return try #require(error["message"]?.string)
  }
}
