// SPDX-License-Identifier: MIT
// Parsing of single sign-on extension responses: header fields, or an Apple error that contains the broker's error.

import TesseraEngine
import TesseraWire

#if TesseraApple
  import TesseraApple

  /// The result of a request to the single sign-on extension.
  enum SSOExtensionOutcome {
    case response([String: String])
    case failure(SSOExtensionFailure)

    /// Parses "SSOExtensionOutcome" of docs/brokers.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      let members = try SSOExtensionOutcomeMembers(text)
      switch (try members.headers, try members.error) {
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
    fileprivate init(_ members: SSOExtensionFailureMembers) throws(TesseraError) {
      self.init(
        try Fault(members.fault),
        underlying: try members.underlying.map { fault throws(TesseraError) in try Fault(fault) })
    }
  }

  extension SSOExtensionFailure.Fault {
    fileprivate init(_ members: SSOExtensionFaultMembers) throws(TesseraError) {
      self.init(domain: try members.domain, code: try members.code)
      message = try members.message
      for member in try members.details?.members ?? [] {
        details[member.name] = member.value.string
      }
    }
  }

  extension SSOExtensionTokensMembers: ScopedMembers {}

  extension SSOExtensionCompletion {
    /// Parses "SSOExtensionTokens" of docs/brokers.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      let members = try SSOExtensionTokensMembers(text)
      self.init(headers: try members.headers, scopes: try members.requestedScopes())
      authority = try members.authority
      homeAccountID = try members.homeAccountID
      acceptsOtherAccount = try members.acceptOtherAccount ?? false
      nonce = try members.nonce.map(Secret.init)
      claims = try members.claims
      correlationID = try members.correlationID
      timeout = try members.timeout
    }
  }
#endif
