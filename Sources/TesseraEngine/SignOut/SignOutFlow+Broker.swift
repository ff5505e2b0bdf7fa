// SPDX-License-Identifier: MIT
// Sign-out at the broker, after the local records have been removed.

/// Removes accounts from an identity broker.
package protocol SignOutBroker: Feature {
  /// Removes the account from the broker for this application.
  ///
  /// A sign-out of the whole machine removes all accounts.
  ///
  /// - Parameter account: The account that signed out here; `nil` if there was none.
  func removal(
    of account: Account?, _ request: SignOutRequest, at authority: Authority,
    _ serverClient: ServerClient, _ context: FlowContext
  ) -> BrokerRemoval
}

extension SignOutFlow {
  /// Removes the account from the broker for this application.
  ///
  /// - Parameter account: The account that signed out here; `nil` if there was none.
  func removeFromBroker(about account: Account?, _ report: inout SignOutReport) {
    guard request.fromBroker else { return }
    guard let broker = context.dependencies.feature((any SignOutBroker).self) else {
      report.broker = BrokerRemoval(error: MissingFeature.broker.error)
      return
    }
    report.broker = broker.removal(of: account, request, at: authority, serverClient, context)
  }
}
