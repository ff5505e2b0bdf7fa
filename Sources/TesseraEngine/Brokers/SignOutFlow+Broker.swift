// SPDX-License-Identifier: MIT
// Signing out at the broker, after this machine's own records are gone.

import TesseraWire

extension SignOutFlow {
  /// Has the broker forget the account for the application; everybody, for the whole machine.
  ///
  /// - Parameter account: who signed out here; nil if nobody was known.
  func askBroker(about account: Account?, _ report: inout SignOutReport) {
    guard request.fromBroker else { return }
    var removal = BrokerRemoval()
    let client = BrokerClient(
      application: application, authority: authority, limits: limits,
      correlationID: exchange.correlationID)
    do throws(TesseraError) {
      let accounts = try client.meaning { () throws(BrokerFailure) in try leaving(client, account) }
      for one in accounts {
        guard forget(one, at: client, &removal) else { break }
      }
    } catch {
      if error.code != .accountNotFound { removal.error = error }
    }
    report.broker = removal
  }

  /// Has the broker forget one account; the first error of several is told.
  ///
  /// - Returns: whether the others are to be forgotten too: not by a broker that does not answer.
  private func forget(
    _ account: LinuxBrokerAccount, at client: BrokerClient, _ removal: inout BrokerRemoval
  ) -> Bool {
    do throws(BrokerFailure) {
      _ = try client.answer(to: .remove(account, of: client.identity), BrokerClient.briefly)
      removal.removed += 1
      return true
    } catch {
      let meaning = client.meaning(of: error)
      // That it does not have the account is what was asked for.
      if meaning.code != .accountNotFound { removal.error = removal.error ?? meaning }
      return switch error {
      case .ended, .skipped(.timeout, _): false
      case .refused, .skipped: true
      }
    }
  }

  private func leaving(
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
