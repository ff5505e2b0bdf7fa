// SPDX-License-Identifier: MIT
// The tokens of a silent call from the broker.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The request for the token of a silent call.
struct SilentBrokerTokens {
  private let broker: any Broker
  private let call: SilentContext

  init(_ broker: any Broker, _ call: SilentContext) {
    self.broker = broker
    self.call = call
  }

  /// Acquires a token from the broker and stores it.
  func fromBroker(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult {
    let client = BrokerClient(
      broker: broker, context: call.context, authority: call.authority, limits: call.limits,
      correlationID: call.serverClient.identified().correlationID, stepLimits: call.brokerLimits)
    let account = try client.convertingFailure { () throws(BrokerFailure) in
      try client.checkAuthority()
      return try client.account(call.homeAccountID, named: call.request.username)
    }
    guard call.homeAccountID.isEmpty else { return try fromBroker(client, account, inputs) }
    // The broker resolved the user name. Read the stored state of that account, in particular whether it has signed out.
    let named = call.changing { $0.homeAccountID = account.homeAccountID }
    let known = named.inputs(
      try call.context.cache.snapshot(named.selection, within: call.limits))
    guard !known.isSignedOut else {
      throw TesseraError(
        absence: known.snapshot.condition,
        "The account has signed out of this application: sign in again.")
    }
    let admissionError = RequestRules.admissionError(
      of: named.homeAccountID, at: call.authority, realm: known.realm)
    if let admissionError { throw admissionError }
    return try SilentBrokerTokens(broker, named).fromBroker(client, account, known)
  }

  /// Acquires a token for an account from the broker and stores it.
  private func fromBroker(
    _ client: BrokerClient, _ account: LinuxBrokerAccount, _ inputs: SilentInputs
  ) throws(TesseraError) -> SilentResult {
    // Concurrent calls that force a refresh accept this token if it was requested after they started.
    let began = call.time.bootTime
    let tokens = try client.convertingFailure { () throws(BrokerFailure) in
      var tokenRequest = client.request(call.scopes)
      tokenRequest.account = account
      tokenRequest.claims = call.claims
      tokenRequest.extraQuery = call.extras.query
      if call.request.forcesRefresh || inputs.hasClaims {
        tokenRequest.rejectedAccessToken = inputs.accessToken?.secret
      }
      return try client.tokens(tokenRequest)
    }
    let (checked, resolved) = try client.tokenRecords(tokens, call.scopes, of: call.homeAccountID)
    var tokenRecords = checked
    tokenRecords.beganAt = began
    var change = call.stored(tokenRecords, from: resolved)
    change.steps += SilentBrokerLock(call).removingThrottle(inputs)
    let result = try call.context.store(
      change, tokenRecords, from: resolved, call.scopes, inputs.snapshot)
    return SilentResult(result: result.fromBroker, validity: nil)
  }
}
