// SPDX-License-Identifier: MIT
// The request of an interactive sign-in to the broker.

import TesseraCache
import TesseraEngine
import TesseraWire

extension BrokeredSignIn {
  /// Signs in the user in the window of a broker, and stores the tokens.
  func tokens(
    of broker: any Broker, at authority: Authority, _ scopes: Scopes
  ) throws(TesseraError) -> TokenResult {
    let client = BrokerClient(
      broker: broker, context: context, authority: authority, limits: windowLimits,
      correlationID: serverClient.correlationID)
    // Read the account before the window opens, because there may be no time left afterwards.
    let expected = try AuthorizationFlow(context, serverClient)
      .accountConstraint(request, at: authority)
    let plan = AuthorizationPlan(
      request, scopes, expected,
      context.configuration.offlineAccess(at: authority, prompt: request.prompt))
    let tokens = try client.convertingFailure { () throws(BrokerFailure) in
      try client.checkAuthority()
      return try client.tokens(try tokenRequest(client, plan, scopes))
    }
    let (tokenRecords, resolved) = try client.tokenRecords(tokens, scopes, of: nil)
    if !request.acceptsOtherAccount { try expected?.check(tokenRecords) }
    return try context.storeSignIn(
      tokenRecords, at: (resolved.authority, resolved), scopes, answering: request.claims
    ).fromBroker
  }

  /// Creates the token request.
  ///
  /// The account to sign in is in the broker's format if the broker knows it.
  private func tokenRequest(
    _ client: BrokerClient, _ plan: AuthorizationPlan, _ scopes: Scopes
  ) throws(BrokerFailure) -> LinuxBrokerTokenRequest {
    var tokenRequest = client.request(scopes.union(Scopes(request.extraScopesToConsent)))
    tokenRequest.isInteractive = true
    tokenRequest.prompt = plan.prompt
    tokenRequest.claims = ClaimsRequest.parameter(
      request.claims, capabilities: context.configuration.sortedCapabilities)
    tokenRequest.extraQuery = context.configuration.extras.query
      .merging(request.extraQueryParameters) { $1 }
    if let domain = request.domainHint?.nonBlank { tokenRequest.domainHint = domain }
    if let locales = request.uiLocales?.nonBlank { tokenRequest.uiLocales = locales }
    tokenRequest.username = plan.loginHint
    // The window has no timeout of its own. Therefore check first, with a short timeout, that the broker responds.
    guard request.homeAccountID?.nonBlank != nil || request.loginHint?.nonBlank != nil else {
      try client.checkResponding()
      return tokenRequest
    }
    do throws(BrokerFailure) {
      tokenRequest.account = try client.account(request.homeAccountID, named: request.loginHint)
    } catch {
      guard case .skipped(.accountUnknown, _) = error else { throw error }
    }
    return tokenRequest
  }
}
