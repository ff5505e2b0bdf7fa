// SPDX-License-Identifier: MIT
// Sign-out at the broker, after the local records have been removed.

import TesseraWire

extension SignOutFlow {
  /// Removes the account from the broker for this application.
  ///
  /// A sign-out of the whole machine removes all accounts.
  ///
  /// - Parameter account: The account that signed out here; `nil` if there was none.
  func removeFromBroker(about account: Account?, _ report: inout SignOutReport) {
    guard request.fromBroker else { return }
    var removal = BrokerRemoval()
    let client = BrokerClient(
      context: context, authority: authority, limits: limits,
      correlationID: serverClient.correlationID)
    do throws(TesseraError) {
      let accounts = try client.convertingFailure { () throws(BrokerFailure) in
        try accountsToRemove(client, account)
      }
      for one in accounts {
        guard removeAccount(one, at: client, &removal) else { break }
      }
    } catch {
      if error.code != .accountNotFound { removal.error = error }
    }
    report.broker = removal
  }

  /// Removes one account from the broker, and records the first error.
  ///
  /// - Returns: Whether to continue with other accounts; `false` if the broker does not respond.
  private func removeAccount(
    _ account: LinuxBrokerAccount, at client: BrokerClient, _ removal: inout BrokerRemoval
  ) -> Bool {
    do throws(BrokerFailure) {
      _ = try client.response(
        to: .remove(account, of: client.identity), BrokerClient.localTimeoutMilliseconds)
      removal.removed += 1
      return true
    } catch {
      let converted = client.convert(error)
      // An account that does not exist is not an error.
      if converted.code != .accountNotFound { removal.error = removal.error ?? converted }
      return switch error {
      case .ended, .skipped(.timeout, _): false
      case .errorResponse, .skipped: true
      }
    }
  }

  private func accountsToRemove(
    _ client: BrokerClient, _ account: Account?
  ) throws(BrokerFailure) -> [LinuxBrokerAccount] {
    let accounts = try client.accounts()
    guard request.scope != .machine else { return accounts }
    let home = (account?.homeAccountID ?? request.homeAccountID)?.nonBlank?.normalised
    let name = (account?.username ?? request.username)?.normalised
    return accounts.filter { one in
      home.map { $0 == one.homeAccountID } ?? (name != nil && one.username?.normalised == name)
    }
  }
}
