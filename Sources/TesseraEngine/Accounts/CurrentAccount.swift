// SPDX-License-Identifier: MIT
// The one person of a program that is for one person at a time, and who it was before.

/// Who uses a program that is for one person at a time (MSAL for Apple: single-account mode).
public struct CurrentAccount: Sendable, Hashable {
  /// The one account that has signed in; nil if nobody has.
  public let account: Account?
  /// Who it was when the program asked last; nil if nobody was, or it never asked.
  ///
  /// Another one than ``account`` says that the program must forget what it keeps of that person. Of an account that is
  /// gone only identifier, environment and username are left.
  public let previousAccount: Account?

  package init(account: Account?, previousAccount: Account?) {
    self.account = account
    self.previousAccount = previousAccount
  }
}
