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

  @Test(arguments: [
    (#"{"client_id":"c","storage_policy":"memory_only"}"#, "storage_policy", "store.policy"),
    (#"{"client_id":"c","proxy":""}"#, "proxy", "network.proxy"),
  ])
  func `the message names the object of a member that moved`(
    _ configuration: String, _ name: String, _ place: String
  ) throws {
    #expect(
      try UnknownMemberTests.message(configuration)
        == "configuration has an unknown member \"\(name)\". Use \"\(place)\" instead.")
  }

  @Test func `a nested object is named in its errors`() throws {
    let message = try UnknownMemberTests.message(#"{"client_id":"c","store":{"polcy":"a"}}"#)
    #expect(message == "store has an unknown member \"polcy\". Did you mean \"policy\"?")
  }

  @Test func `a similar code of a text for users is suggested`() throws {
    let message = try UnknownMemberTests.message(
      #"{"client_id":"c","user_messages":{"signed_in":"x"}}"#)
    #expect(message.hasPrefix("user_messages has an unknown member \"signed_in\"."))
    #expect(message.contains("signed_in_text") || message.contains("signed_in_title"))
  }

  @Test(arguments: [
    #"{"client_id":"c","region":"x"}"#, #"{"client_id":"c","store":{"kind":"redis"}}"#,
    #"{"client_id":"c","store":{"url":"redis://localhost"}}"#,
  ])
  func `features of later versions are unavailable`(_ configuration: String) throws {
    let error = try UnknownMemberTests.error(configuration)
    #expect(error["code"]?.string == "feature_unavailable")
    #expect(error["remedy"]?.string == "fix_configuration")
  }

  @Test func `the message lists the members if none is similar`() throws {
    let message = try UnknownMemberTests.message(#"{"client_id":"c","password":"d"}"#)
    #expect(message.contains("\"password\". Known members: client_id, redirect_uri,"))
  }

  /// Returns the message of the error for a configuration with an unknown member.
  private static func message(_ configuration: String) throws -> String {
    let error = try error(configuration)
    #expect(error["code"]?.string == "unknown_member")
    #expect(error["remedy"]?.string == "fix_request")
    return try #require(error["message"]?.string)
  }

  /// Returns the error for a configuration that is rejected.
  private static func error(_ configuration: String) throws -> JSONObject {
    var application: OpaquePointer?
    var response: UnsafeMutablePointer<CChar>?
    let status = tessera_application_create(configuration, nil, &application, &response)
    defer { tessera_string_free(response) }
    #expect(status != TESSERA_STATUS_OK)
    #expect(application == nil)
    let json = try JSONValue(parsing: String(cString: try #require(response)))
    return try #require(json.object?["error"]?.object)
  }
}
