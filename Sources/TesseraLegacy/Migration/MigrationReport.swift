// SPDX-License-Identifier: MIT
// The result of a migration for each account, with advice for those that were not migrated.

import TesseraEngine

/// The result of a migration.
public struct MigrationReport: Sendable {
  /// The outcome for an account.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The sign-in was migrated.
    ///
    /// The first silent call needs no user interaction, unless the server rejects the token.
    case migrated
    /// It was migrated before and has not changed since.
    case alreadyMigrated = "already_migrated"
    /// The application is already signed in to the account.
    ///
    /// The older token is kept as a fallback.
    case alreadySignedIn = "already_signed_in"
    /// There is no usable refresh token; ``Account/reason`` is the cause.
    case notMigrated = "not_migrated"
  }

  /// The reason for which an account could not be migrated.
  public enum Reason: String, Sendable, CaseIterable {
    /// There were only access tokens, which expire soon.
    case noRefreshToken = "no_refresh_token"
    /// The older library recorded that the server rejected the refresh token.
    case refused
    /// The token was rejected here before, or the account has signed out here since.
    case retired
    /// The cache does not identify the account, for example at an ADFS without ID tokens.
    case unknownPerson = "unknown_person"
    /// The limit of stored tokens for the user name is reached, and the token replaces none of them.
    case tooManyTokens = "too_many_tokens"
    /// The authority is neither a known cloud nor an Entra authority of this application, for example an ADFS.
    ///
    /// The token would never be redeemed.
    case unknownAuthority = "unknown_authority"
    /// Applications of the same publisher shared the user name only.
    ///
    /// It can be used as ``AuthorizationOptions/loginHint``.
    case nameOnly = "name_only"

    /// The advice for the user.
    public var advice: String {
      switch self {
      case .noRefreshToken:
        "The cache contains only access tokens of the account. Sign in once with an interactive call."
      case .refused:
        "The server rejected the refresh token, as the older library recorded. Sign in once with an interactive call."
      case .retired:
        "The token was rejected before, or the account has signed out. Sign in once with an interactive call."
      case .unknownPerson:
        "The cache does not identify the account of the token. Sign in once with an interactive call."
      case .tooManyTokens:
        "The store already has the maximum number of tokens for this user name. Sign in once with an interactive call."
      case .unknownAuthority:
        """
        The authority is neither a known cloud nor an Entra authority of this application. If it is an Entra authority that \
        you trust, add it to known_authorities and migrate again. Otherwise, as for ADFS, sign in once with an interactive call.
        """
      case .nameOnly:
        "The cache contains only the user name. Sign in once with an interactive call, with the user name as login_hint."
      }
    }
  }

  /// An account at an application in the older cache.
  public struct Account: Sendable, Hashable {
    /// The user name; empty if the cache does not contain it.
    public let username: String
    /// The account identifier; `nil` if the cache does not contain it.
    ///
    /// It is then known after the first token request.
    public let homeAccountID: String?
    /// The host of the authority.
    public let environment: String
    /// The client ID of the application; `foci-` and a number for the tokens of a family.
    public let clientID: String
    /// The outcome.
    public var outcome: Outcome
    /// The reason for which the account was not migrated; `nil` if it was.
    public var reason: Reason?

    /// Creates the outcome for an account.
    public init(
      username: String, homeAccountID: String?, environment: String, clientID: String,
      outcome: Outcome, reason: Reason? = nil
    ) {
      self.username = username
      self.homeAccountID = homeAccountID
      self.environment = environment
      self.clientID = clientID
      self.outcome = outcome
      self.reason = reason
    }
  }

  /// An entry that could not be read.
  ///
  /// Other entries are not affected.
  public struct Damage: Sendable, Hashable {
    /// The index of the entry; `nil` for the enclosing data.
    public let entry: Int?
    /// A stable error name in snake case.
    public let code: String
    /// A description for developers.
    public let message: String

    /// Creates the description of an entry.
    public init(entry: Int?, code: String, message: String) {
      self.entry = entry
      self.code = code
      self.message = message
    }
  }

  /// The detected format.
  public let format: MigrationRequest.Format
  /// Whether this is the report of a dry run, in which nothing was stored.
  public let isDryRun: Bool
  /// The accounts, sorted by name, environment and application.
  public var accounts: [Account] = []
  /// The number of records of the unified schema that were migrated or were already present.
  ///
  /// In a dry run, it is the number that would be migrated. Their accounts are in ``accounts``.
  public var recordCount = 0
  /// The numbers of entries that are not migrated because only the application that wrote them can use them, by kind.
  public var preserved: [String: Int] = [:]
  /// The entries that could not be read.
  public var damaged: [Damage] = []
  /// The number of further entries that could not be read and are not in ``damaged``.
  public var furtherDamaged = 0

  /// Creates a report without accounts.
  public init(format: MigrationRequest.Format, isDryRun: Bool = false) {
    self.format = format
    self.isDryRun = isDryRun
  }

  /// Returns the number of accounts with an outcome.
  public func count(_ outcome: Outcome) -> Int {
    accounts.lazy.filter { $0.outcome == outcome }.count
  }
}
