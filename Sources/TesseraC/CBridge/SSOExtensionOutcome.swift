// SPDX-License-Identifier: MIT
// Parsing of single sign-on extension responses: header fields, or an Apple error that contains the broker's error.

import TesseraEngine
import TesseraWire

/// The result of a request to the single sign-on extension.
enum SSOExtensionOutcome {
  case response([String: String])
  case failure(SSOExtensionFailure)

  /// Parses "SSOExtensionOutcome" of docs/brokers.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(text, "request", accepting: ["headers", "error"])
    switch (try document.stringDictionary("headers"), document.value("error")) {
    case (let headers?, nil): self = .response(headers)
    case (nil, let error?): self = .failure(try SSOExtensionFailure(error))
    default:
      throw TesseraError(
        .fixRequest, .invalidMember,
        "Pass either \"headers\", the header fields of the response, or \"error\", the error of the call."
      )
    }
  }

  /// Returns the content of the response as JSON.
  ///
  /// - Throws: The error that the failure or the broker's error response represents.
  func json() throws(TesseraError) -> JSONValue {
    switch self {
    case .failure(let failure): throw failure.error
    case .response(let headers):
      let response = try SSOExtensionResponse(headers: headers)
      if case .tokens(let tokens) = response.content, let error = tokens.error { throw error }
      return response.json
    }
  }
}

extension SSOExtensionFailure {
  fileprivate init(_ value: JSONValue) throws(TesseraError) {
    let members = value.object
    self.init(
      try Fault(value, known: ["domain", "code", "message", "details", "underlying"]),
      underlying: try members?["underlying"].flatMap { $0 == .null ? nil : $0 }.map {
        value throws(TesseraError) in
        try Fault(value, known: ["domain", "code", "message", "details"])
      })
  }
}

extension SSOExtensionFailure.Fault {
  fileprivate init(_ value: JSONValue, known: [String]) throws(TesseraError) {
    guard let members = value.object, let domain = members["domain"]?.string,
      let code = members["code"]?.integer,
      members.members.allSatisfy({ known.contains($0.name) })
    else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"error\" must be an object with \"domain\", a string, and \"code\", an integer. Known members: \(known.joined(separator: ", "))."
      )
    }
    self.init(domain: domain, code: code)
    message = members["message"]?.string
    for member in members["details"]?.object?.members ?? [] {
      details[member.name] = member.value.string
    }
  }
}

extension SSOExtensionCompletion {
  /// Parses "SSOExtensionTokens" of docs/brokers.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: [
        "headers", "scopes", "resource", "authority", "home_account_id", "accept_other_account",
        "nonce", "claims", "correlation_id", "timeout_milliseconds",
      ])
    guard let headers = try document.stringDictionary("headers") else {
      throw TesseraError(.fixRequest, .missingParameter, "The member \"headers\" is missing.")
    }
    self.init(headers: headers, scopes: try document.scopes())
    authority = try document.string("authority")
    homeAccountID = try document.string("home_account_id")
    acceptsOtherAccount = try document.bool("accept_other_account") ?? false
    nonce = try document.string("nonce").map(Secret.init)
    claims = try document.string("claims")
    correlationID = try document.string("correlation_id")
    timeout = try document.milliseconds("timeout_milliseconds")
  }
}
