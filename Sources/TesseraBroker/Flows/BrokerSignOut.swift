// SPDX-License-Identifier: MIT
// Sign-out at the broker.

import TesseraEngine
import TesseraWire

/// A sign-out at the broker.
struct BrokerSignOut {
  let client: BrokerClient
  let request: SignOutRequest

  /// Removes the account from the broker for this application.
  ///
  /// A sign-out of the whole machine removes all accounts.
  ///
  /// - Parameter account: The account that signed out here; `nil` if there was none.
  func run(_ account: Account?) -> BrokerRemoval {
    var removal = BrokerRemoval()
    do throws(TesseraError) {
      let accounts = try client.convertingFailure { () throws(BrokerFailure) in
        try accountsToRemove(account)
      }
      for one in accounts {
        guard removeAccount(one, &removal) else { break }
      }
    } catch {
      if error.code != .accountNotFound { removal.error = error }
    }
    return removal
  }

  /// Removes one account from the broker, and records the first error.
  ///
  /// - Returns: Whether to continue with other accounts; `false` if the broker does not respond.
  private func removeAccount(
    _ account: LinuxBrokerAccount, _ removal: inout BrokerRemoval
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
    _ account: Account?
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
