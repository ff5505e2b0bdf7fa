// SPDX-License-Identifier: MIT
// The questions that flows have for the broker, each with what is believed of the answer.

import TesseraCache
import TesseraWire

/// The broker, as one call of an application asks it.
struct BrokerClient {
  /// Milliseconds for a question that the broker answers by itself.
  static let briefly: Int64 = 10_000
  /// Milliseconds for one for which it may have to ask servers.
  static let patiently: Int64 = 30_000

  let application: PublicClientApplication
  let authority: Authority
  let limits: CallLimits
  let correlationID: String
  /// The part of the caller's time that the broker may take, where something else comes after it; nil for all of it.
  var share: CallLimits?

  /// Who asks; the redirect URI is the one that is registered for brokers of Linux, at the host of the cloud.
  ///
  /// (MSAL .NET, MSAL Python and sso-mib: `https://HOST/common/oauth2/nativeclient`.)
  var identity: LinuxBrokerApplication {
    LinuxBrokerApplication(
      clientID: application.configuration.clientID,
      redirectURI: "\(authority.address.origin)/common/oauth2/nativeclient")
  }

  /// The version of the broker.
  func version() throws(BrokerFailure) -> String {
    let answer = try answer(to: .version(client: Version.text), Self.briefly)
    return try BrokerFailure.wrapping { () throws(LinuxBrokerFailure) in try answer.version() }
  }

  /// The accounts that the broker has for the application.
  func accounts() throws(BrokerFailure) -> [LinuxBrokerAccount] {
    let answer = try answer(to: .accounts(of: identity), Self.briefly)
    return try BrokerFailure.wrapping { () throws(LinuxBrokerFailure) in try answer.accounts() }
  }

  /// The account with an identifier, or else the only one with a name.
  func account(
    _ homeAccountID: String?, named username: String?
  ) throws(BrokerFailure) -> LinuxBrokerAccount {
    let found = try accounts().filter { account in
      if let home = homeAccountID?.nonBlank { return account.homeAccountID == home.normalised }
      return username?.nonBlank.map { $0.normalised == account.username?.normalised } ?? false
    }
    // The same person may be listed for several tenants; whose token is wanted, the authority says.
    guard let account = found.first, Set(found.map(\.homeAccountID)).count == 1 else {
      throw .skipped(
        .accountUnknown,
        found.isEmpty ? "it does not have this account" : "it has several accounts with this name")
    }
    return account
  }

  /// Tokens, as a token endpoint would have sent them.
  func tokens(_ request: LinuxBrokerTokenRequest) throws(BrokerFailure) -> JSONObject {
    let answer = try answer(to: .token(request), request.isInteractive ? nil : Self.patiently)
    return try BrokerFailure.wrapping { () throws(LinuxBrokerFailure) in
      try answer.tokenResponse()
    }
  }

  /// What the broker answers to any call.
  func answer(
    to call: LinuxBrokerCall, _ patience: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerAnswer {
    let surroundings = application.surroundings
    surroundings.log.write(
      .detail,
      "Asking the identity broker: \(call.method.rawValue), correlation id \(correlationID)")
    return try surroundings.broker.answer(
      to: call, named: correlationID, within: limits, patience: left(of: patience))
  }

  /// Throws unless the broker answers, whatever it says: before a call that may take as long as the person needs.
  func prove() throws(BrokerFailure) {
    do throws(BrokerFailure) {
      _ = try version()
    } catch {
      switch error {
      case .refused, .skipped(.unsupported, _), .skipped(.failed, _), .skipped(.answerInvalid, _),
        .skipped(.answerTooLong, _):
        return
      case .ended, .skipped: throw error
      }
    }
  }

  /// Milliseconds of a patience that the share leaves; nil for no end.
  private func left(of patience: Int64?) -> Int64? {
    guard let left = share?.nanosecondsLeft(application.surroundings.time) else { return patience }
    return min(patience ?? .max, Int64(clamping: left / 1_000_000))
  }

  /// What a token is asked for with.
  func request(_ scopes: Scopes) -> LinuxBrokerTokenRequest {
    LinuxBrokerTokenRequest(identity, authority: authority.text, scopes: scopes.list)
  }

  /// Runs something that asks the broker, and says what its failure means.
  func meaning<Value>(
    _ body: () throws(BrokerFailure) -> Value
  ) throws(TesseraError) -> Value {
    do throws(BrokerFailure) {
      return try body()
    } catch {
      throw meaning(of: error)
    }
  }

  /// What a failure means, which is logged.
  func meaning(of failure: BrokerFailure) -> TesseraError {
    let meaning = TesseraError(failure, correlationID: correlationID)
    application.surroundings.log.write(
      .information, "The identity broker did not help: \(meaning.code.rawValue)")
    return meaning
  }
}

extension BrokerClient {
  /// The receipt of the broker's tokens: checked like a server's, but without asking the server for its document.
  ///
  /// - Parameters:
  ///   - homeAccountID: whose tokens must have come; nil for anybody's.
  func receipt(
    _ tokens: JSONObject, _ scopes: Scopes, of homeAccountID: String?
  ) throws(TesseraError) -> (TokenReceipt, ResolvedAuthority) {
    let resolved = try resolved()
    var expected = application.expectation(of: resolved, scopes, homeAccountID: homeAccountID)
    // A broker answers from a cache of its own, in which ID tokens grow old.
    expected.mayBeOlder = true
    let time = application.surroundings.time
    let document = ReceivedDocument(tokens, ResponseTime(at: time.now, moment: time.moment))
    return (try TokenReceipt(document, expected), resolved)
  }

  /// Stores what the broker gave; the result says so, also where it is less than was asked for.
  func given(
    _ store: () throws(TesseraError) -> TokenResult
  ) throws(TesseraError) -> TokenResult {
    do throws(TesseraError) {
      return try store().ofBroker
    } catch {
      var error = error
      error.result = error.result?.ofBroker
      throw error
    }
  }

  /// The authority with the issuer and the endpoints that Entra's document names.
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
  /// The same, from the broker.
  fileprivate var ofBroker: TokenResult {
    var result = self
    result.source = .broker
    result.brokers = [.used]
    return result
  }
}
