// SPDX-License-Identifier: MIT
// The members of requests to the broker, in the one place where C spells them.

import TesseraEngine
import TesseraWire

extension BrokerRequest {
  private static let members = ["authority", "timeout_milliseconds", "correlation_id"]

  /// Reads "BrokerRequest" of docs/c-interface.md, which may be NULL.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(
      RequestDocument(text, "request", accepting: BrokerRequest.members, isOptional: true))
  }

  /// Reads what every request has.
  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    authority = try document.string("authority")
    timeoutMilliseconds = try document.count("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }

  /// A document with these members besides what every request has.
  fileprivate static func document(
    _ text: UnsafePointer<CChar>?, _ own: [String]
  ) throws(TesseraError) -> RequestDocument {
    try RequestDocument(text, "request", accepting: own + members)
  }
}

extension BrokerCookieRequest {
  /// Reads "BrokerCookieRequest" of docs/c-interface.md.
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
  /// Reads "BrokerSigningRequest" of docs/c-interface.md.
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
