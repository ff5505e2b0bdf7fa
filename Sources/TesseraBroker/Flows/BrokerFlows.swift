// SPDX-License-Identifier: MIT
// The flows of the identity broker, for the engine.

package import TesseraEngine
package import TesseraWire

/// The flows of the identity broker.
package struct BrokerFlows: SilentBroker, InteractiveBroker, SignOutBroker {
  let broker: any Broker

  /// Creates the flows of a broker.
  package init(_ broker: any Broker) {
    self.broker = broker
  }

  package func result(
    of call: SilentContext, _ inputs: SilentInputs, isOptional: Bool
  ) throws(TesseraError) -> SilentResult? {
    try SilentBrokerLock(call).withLock(inputs, isOptional: isOptional) {
      inputs throws(TesseraError) in
      try SilentBrokerTokens(broker, call).fromBroker(inputs)
    }
  }

  package func signIn(
    _ signIn: BrokeredSignIn, at authority: Authority, _ scopes: Scopes
  ) throws(TesseraError) -> TokenResult {
    try signIn.tokens(of: broker, at: authority, scopes)
  }

  package func removal(
    of account: Account?, _ request: SignOutRequest, at authority: Authority,
    _ serverClient: ServerClient, _ context: FlowContext
  ) -> BrokerRemoval {
    let client = BrokerClient(
      broker: broker, context: context, authority: authority, limits: serverClient.limits,
      correlationID: serverClient.correlationID)
    return BrokerSignOut(client: client, request: request).run(account)
  }
}
