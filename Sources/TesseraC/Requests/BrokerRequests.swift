// SPDX-License-Identifier: MIT
// Parsing of JSON requests to the broker.

import TesseraEngine
import TesseraWire

#if TesseraBroker
  import TesseraBroker

  extension BrokerRequest {
    /// Parses "BrokerRequest" of docs/c-interface.md.
    ///
    /// NULL is an empty request.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      try self.init(BrokerRequestMembers(text, isOptional: true))
    }

    /// Reads the members that all broker requests have in common.
    fileprivate init(_ members: BrokerRequestMembers) throws(TesseraError) {
      self.init()
      authority = try members.authority
      timeout = try members.timeout
      correlationID = try members.correlationID
    }
  }

  extension BrokerCookieRequest {
    /// Parses "BrokerCookieRequest" of docs/c-interface.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      let members = try BrokerCookieRequestMembers(text)
      self.init(
        homeAccountID: try members.homeAccountID,
        ssoURL: try members.ssoURL)
      scopes = try members.scopes ?? []
      common = try BrokerRequest(members.brokerRequest)
    }
  }

  extension BrokerSigningRequest {
    /// Parses "BrokerSigningRequest" of docs/c-interface.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      let members = try BrokerSigningRequestMembers(text)
      self.init(
        homeAccountID: try members.homeAccountID,
        httpMethod: try members.httpMethod,
        url: try members.url)
      nonce = try members.nonce
      clientClaims = try members.clientClaims
      keyID = try members.keyID
      common = try BrokerRequest(members.brokerRequest)
    }
  }
#endif
