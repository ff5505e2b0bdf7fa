// SPDX-License-Identifier: MIT
// Broker functions other than token requests. They are available with any broker policy.

public import TesseraEngine
public import TesseraWire

extension PublicClientApplication {
  /// Returns the version of the identity broker of this machine.
  ///
  /// Use it to detect whether there is one.
  ///
  /// - Throws: ``TesseraError``; `fixConfiguration` with code `broker_unavailable` if there is no broker, `retryLater` with
  ///   code `broker_unresponsive` if it does not respond, `cancelled`; or the error of the broker (docs/brokers.md):
  ///   `retryLater` with code `network_failed` or `server_unavailable`, `signIn` with code `interaction_required`,
  ///   `account_not_found`, `account_mismatch` or `device_required`, `fixRequest` with code `request_rejected`,
  ///   `fixConfiguration` with code `client_rejected` or `invalid_authority`, `cancelled` with code `access_denied`.
  public func brokerVersion(
    _ request: BrokerRequest = BrokerRequest(), cancellation: Cancellation? = nil
  ) throws(TesseraError) -> String {
    try brokerCall(request, cancellation).version()
  }

  /// Returns the accounts that the broker has for this application, whether or not they are signed in to it.
  ///
  /// To get a token for one of them, set ``ApplicationConfiguration/broker`` and use its identifier in a silent request.
  ///
  /// - Throws: ``TesseraError``, as ``brokerVersion(_:cancellation:)``.
  public func brokerAccounts(
    _ request: BrokerRequest = BrokerRequest(), cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [BrokerAccount] {
    try brokerCall(request, cancellation).accounts()
  }

  /// Returns the cookies that sign in an account of the broker in a browser.
  ///
  /// - Throws: ``TesseraError``, as ``brokerVersion(_:cancellation:)``; `fixRequest` for an address outside the authority's
  ///   cloud, to which the cookie must not be sent; `signIn` for an account that the broker does not have.
  public func brokerCookies(
    _ request: BrokerCookieRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [BrokerCookie] {
    try brokerCall(request.common, cancellation).cookies(request)
  }

  /// Returns the broker's signature of a request to a resource (`SignedHttpRequest`).
  ///
  /// - Throws: ``TesseraError``, as ``brokerVersion(_:cancellation:)``; `retryLater` with code `broker_unresponsive` also
  ///   if the broker does not support signatures.
  public func brokerSignedRequest(
    _ request: BrokerSigningRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Secret {
    try brokerCall(request.common, cancellation).signedRequest(request)
  }

  private func brokerCall(
    _ request: BrokerRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) -> BrokerCall {
    try BrokerCall(context, request, within: limits(request.timeout, cancellation))
  }
}
