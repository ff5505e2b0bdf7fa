// SPDX-License-Identifier: MIT
// Parsing of JSON requests to the broker.

import TesseraEngine
import TesseraWire

extension BrokerRequest {
  private static let members = ["authority", "timeout_milliseconds", "correlation_id"]

  /// Parses "BrokerRequest" of docs/c-interface.md.
  ///
  /// NULL is an empty request.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(
      RequestDocument(text, "request", accepting: BrokerRequest.members, isOptional: true))
  }

  /// Reads the members that all broker requests have in common.
  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    authority = try document.string("authority")
    timeout = try document.milliseconds("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }

  /// Parses a request with the given members and those that all broker requests have in common.
  fileprivate static func document(
    _ text: UnsafePointer<CChar>?, _ own: [String]
  ) throws(TesseraError) -> RequestDocument {
    try RequestDocument(text, "request", accepting: own + members)
  }
}

extension BrokerCookieRequest {
  /// Parses "BrokerCookieRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try BrokerRequest.document(text, ["home_account_id", "sso_url", "scopes"])
    self.init(
      homeAccountID: try document.requiredString("home_account_id"),
      ssoURL: try document.requiredString("sso_url"))
    scopes = try document.strings("scopes") ?? []
    common = try BrokerRequest(document)
  }
}

extension BrokerSigningRequest {
  /// Parses "BrokerSigningRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try BrokerRequest.document(
      text, ["home_account_id", "http_method", "url", "nonce", "client_claims", "key_id"])
    self.init(
      homeAccountID: try document.requiredString("home_account_id"),
      httpMethod: try document.requiredString("http_method"),
      url: try document.requiredString("url"))
    nonce = try document.string("nonce")
    clientClaims = try document.string("client_claims")
    keyID = try document.string("key_id")
    common = try BrokerRequest(document)
  }
}
