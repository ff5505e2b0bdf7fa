// SPDX-License-Identifier: MIT
// The next step of a user of the command line for an account that was not imported.

import Tessera

extension MigrationReport.Reason {
  /// The cause and the next step, for users of the command line.
  var nextStep: String {
    switch self {
    case .noRefreshToken: "The file contains only access tokens of the account. \(Self.login)"
    case .refused: "The server rejected the refresh token before. \(Self.login)"
    case .retired: "The token was rejected before, or the account has signed out. \(Self.login)"
    case .unknownPerson: "The file does not identify the account of the token. \(Self.login)"
    case .tooManyTokens:
      "The store already has the maximum number of tokens for this user name. \(Self.login)"
    case .unknownAuthority:
      """
      The authority is neither a known cloud nor that of --authority. If you trust it, pass it with --authority. \
      \(Self.login)
      """
    case .nameOnly: "The file contains only the user name. \(Self.login)"
    }
  }

  private static let login = "Run \"tessera login\"."
}
