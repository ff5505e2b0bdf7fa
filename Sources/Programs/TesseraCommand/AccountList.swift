// SPDX-License-Identifier: MIT
// A list of accounts for an error message, with the option that distinguishes them.

import Tessera

/// The accounts among which the user chooses.
struct AccountList {
  let accounts: [Account]

  /// The maximum number of listed accounts; further ones are only counted.
  private static let maximumCount = 10

  init(_ accounts: [Account]) {
    self.accounts = accounts
  }

  /// The option whose values differ for all accounts.
  var option: String {
    if isDistinct({ $0.username?.lowercased() }) { return "--username" }
    if isDistinct({ $0.homeAccountID }) { return "--home-account-id" }
    if isDistinct({ $0.environment }) { return "--environment" }
    return "--home-account-id and --environment"
  }

  /// The end of the advice if `tessera use` can choose the account.
  var useHint: String { option == "--username" ? ", or once with \"tessera use\"" : "" }

  /// The names of the accounts, with the value of the option if it is not the name.
  var text: String {
    let option = self.option
    let names = accounts.prefix(AccountList.maximumCount).map { account -> String in
      let name = account.username ?? "(no name)"
      return switch option {
      case "--username": name
      case "--home-account-id": "\(name) (\(account.homeAccountID))"
      case "--environment": "\(name) (\(account.environment))"
      default: "\(name) (\(account.homeAccountID), \(account.environment))"
      }
    }
    let rest = accounts.count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Whether the accounts have different values.
  private func isDistinct(_ value: (Account) -> String?) -> Bool {
    Set(accounts.compactMap(value)).count == accounts.count
  }
}
