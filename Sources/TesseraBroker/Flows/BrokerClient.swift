// SPDX-License-Identifier: MIT
// The requests of the flows to the broker, with the validation of the responses.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The broker client of one call.
struct BrokerClient {
  /// The timeout of a request that the broker answers locally, in milliseconds.
  static let localTimeoutMilliseconds: Int64 = 10_000
  /// The timeout of a request for which the broker may contact servers, in milliseconds.
  static let serverTimeoutMilliseconds: Int64 = 30_000

  let broker: any Broker
  let context: FlowContext
  let authority: Authority
  let limits: CallLimits
  let correlationID: String
  /// The part of the remaining time that the broker may use if another step follows; `nil` for all of it.
  var stepLimits: CallLimits?

  /// The identity of the application, with the redirect URI that is registered for Linux brokers at the host of the cloud.
  ///
  /// (MSAL .NET, MSAL Python and sso-mib: `https://HOST/common/oauth2/nativeclient`.)
  var identity: LinuxBrokerApplication {
    LinuxBrokerApplication(
      clientID: context.configuration.clientID,
      redirectURI: "\(authority.address.origin)/common/oauth2/nativeclient")
  }

  /// Returns the version of the broker.
  func version() throws(BrokerFailure) -> String {
    let response = try response(
      to: .version(client: TesseraVersion.text), Self.localTimeoutMilliseconds)
    return try BrokerFailure.wrapping { () throws(LinuxBrokerError) in try response.version() }
  }

  /// Returns the accounts that the broker has for the application.
  func accounts() throws(BrokerFailure) -> [LinuxBrokerAccount] {
    let response = try response(to: .accounts(of: identity), Self.localTimeoutMilliseconds)
    return try BrokerFailure.wrapping { () throws(LinuxBrokerError) in try response.accounts() }
  }

  /// Returns the account with an identifier, or else the only one with a user name.
  func account(
    _ homeAccountID: String?, named username: String?
  ) throws(BrokerFailure) -> LinuxBrokerAccount {
    let found = try accounts().filter { account in
      if let home = homeAccountID?.nonBlank { return account.homeAccountID == home.normalised }
      return username?.nonBlank.map { $0.normalised == account.username?.normalised } ?? false
    }
    // An account may be listed for several tenants. The authority determines the tenant of the token.
    guard let account = found.first, Set(texts: found.map(\.homeAccountID)).count == 1 else {
      throw .skipped(
        .accountUnknown,
        found.isEmpty
          ? "the broker does not have this account"
          : "the broker has several accounts with this user name")
    }
    return account
  }

  /// Requests tokens, and returns a response in the format of a token endpoint.
  func tokens(_ request: LinuxBrokerTokenRequest) throws(BrokerFailure) -> JSONObject {
    let response = try response(
      to: .token(request), request.isInteractive ? nil : Self.serverTimeoutMilliseconds)
    return try BrokerFailure.wrapping { () throws(LinuxBrokerError) in
      try response.tokenResponse()
    }
  }

  /// Sends any call to the broker, and returns its response.
  func response(
    to call: LinuxBrokerCall, _ brokerTimeoutMilliseconds: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerResponse {
    let dependencies = context.dependencies
    dependencies.log.write(
      .detail,
      "Identity broker request: \(call.method.rawValue), correlation ID \(correlationID)")
    return try broker.response(
      to: call, correlationID: correlationID, within: limits,
      brokerTimeoutMilliseconds: remaining(of: brokerTimeoutMilliseconds))
  }

  /// Checks that the broker responds, with any result, before an interactive call without a short timeout.
  func checkResponding() throws(BrokerFailure) {
    do throws(BrokerFailure) {
      _ = try version()
    } catch {
      switch error {
      case .errorResponse, .skipped(.unsupported, _), .skipped(.failed, _),
        .skipped(.responseInvalid, _),
        .skipped(.responseTooLong, _):
        return
      case .ended, .skipped: throw error
      }
    }
  }

  /// Limits a timeout in milliseconds to the remaining share of the time; `nil` for no timeout.
  private func remaining(of brokerTimeoutMilliseconds: Int64?) -> Int64? {
    guard let remaining = stepLimits?.nanosecondsLeft(context.dependencies.time) else {
      return brokerTimeoutMilliseconds
    }
    return min(brokerTimeoutMilliseconds ?? .max, Int64(clamping: remaining / 1_000_000))
  }

  /// Creates a token request.
  func request(_ scopes: Scopes) -> LinuxBrokerTokenRequest {
    LinuxBrokerTokenRequest(identity, authority: authority.text, scopes: scopes.list)
  }

  /// Runs a broker request, and converts and logs its failure.
  func convertingFailure<Value>(
    _ body: () throws(BrokerFailure) -> Value
  ) throws(TesseraError) -> Value {
    do throws(BrokerFailure) {
      return try body()
    } catch {
      throw convert(error)
    }
  }

  /// Converts a failure, and logs it.
  func convert(_ failure: BrokerFailure) -> TesseraError {
    let error = TesseraError(failure, correlationID: correlationID)
    context.dependencies.log.write(
      .information, "The identity broker request failed: \(error.code.rawValue)")
    return error
  }
}

extension BrokerClient {
  /// Validates the tokens of the broker like those of a server, but without fetching the discovery document.
  ///
  /// - Parameter homeAccountID: The account of the expected tokens; `nil` for any account.
  func tokenRecords(
    _ tokens: JSONObject, _ scopes: Scopes, of homeAccountID: String?
  ) throws(TesseraError) -> (TokenResponseRecords, ResolvedAuthority) {
    let resolved = try resolved()
    var expected = context.expectation(of: resolved, scopes, homeAccountID: homeAccountID)
    // A broker may return a cached ID token that has expired.
    expected.allowsExpiredIDToken = true
    let time = context.dependencies.time
    let document = ReceivedDocument(tokens, ResponseTime(at: time.now, bootTime: time.bootTime))
    return (try TokenResponseRecords(document, expected), resolved)
  }

  /// The authority with the issuer and the token endpoint that Entra's discovery document would contain.
  private func resolved() throws(TesseraError) -> ResolvedAuthority {
    let host = authority.cloud?.preferredNetwork ?? authority.address.authority
    let origin = "\(authority.address.scheme)://\(host)"
    let configuration = try TesseraError.wrapping { () throws(WireError) in
      try OpenIDConfiguration([
        "issuer": .string("\(origin)/{tenantid}/v2.0"),
        "token_endpoint": .string("\(origin)/\(authority.tenant)/oauth2/v2.0/token"),
      ])
    }
    return try ResolvedAuthority(authority, configuration, cloud: authority.cloud)
  }
}

extension TokenResult {
  /// The result with the broker as its source.
  var fromBroker: TokenResult {
    var result = self
    result.source = .broker
    result.brokers = [.used]
    return result
  }
}

extension BrokerClient {
  /// Checks that Linux brokers support the authority.
  ///
  /// (MSAL .NET: only Entra; not ADFS, B2C, external tenants or plain issuers.)
  func checkAuthority() throws(BrokerFailure) {
    guard authority.type == .entra else {
      throw .skipped(
        .authorityUnsupported, "brokers support Entra authorities only, not \(authority.text)")
    }
  }
}
