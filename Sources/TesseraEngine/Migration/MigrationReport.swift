// SPDX-License-Identifier: MIT
// What became of each account of an older library's cache, and what to do about those that were not taken over.

/// What a cache of an older library held, and what was taken over.
public struct MigrationReport: Sendable {
  /// What became of an account.
  public enum Outcome: String, Sendable, CaseIterable {
    /// Its sign-in was taken over: the first silent call for it needs no prompt, unless the server refuses.
    case migrated
    /// It was taken over before, and nothing has changed since.
    case alreadyMigrated = "already_migrated"
    /// The item's client has a sign-in of the unified cache for it; its token is kept for when the server refuses that.
    case alreadySignedIn = "already_signed_in"
    /// It has nothing that signs anybody in; ``Account/reason`` says why.
    case notMigrated = "not_migrated"
  }

  /// Why an account could not be taken over.
  public enum Reason: String, Sendable, CaseIterable {
    /// Only access tokens were left, which soon expire.
    case noRefreshToken = "no_refresh_token"
    /// The older library has noted that the server refused its refresh token.
    case refused
    /// Its token was tried here in vain, or it has signed out here since.
    case retired
    /// Nothing says whose it is, such as for people of an ADFS without ID tokens.
    case unknownPerson = "unknown_person"
    /// More tokens of its name are stored than a person has, and none that its token could replace.
    case tooManyTokens = "too_many_tokens"
    /// Neither a cloud that is known here, nor an Entra authority of this application, such as an ADFS: nobody would redeem
    /// its token.
    case unknownAuthority = "unknown_authority"
    /// Programs of one maker told each other the name, and nothing else: a ``InteractiveRequest/loginHint``.
    case nameOnly = "name_only"

    /// What to do, for a person.
    public var advice: String {
      switch self {
      case .noRefreshToken: "Only access tokens were left. Sign in once with an interactive call."
      case .refused:
        "The older library noted that the server refused its refresh token. Sign in once with an interactive call."
      case .retired:
        "Its token was refused here, or it signed out here. Sign in once with an interactive call."
      case .unknownPerson:
        "The cache does not say whose token it is. Sign in once with an interactive call."
      case .tooManyTokens:
        "Too many tokens of this name are stored already. Sign in once with an interactive call."
      case .unknownAuthority:
        """
        Its authority is none of Entra's that this application knows. If it is Entra's and to be trusted, name it in \
        known_authorities and take the cache over again; else, as for an ADFS, sign in once with an interactive call.
        """
      case .nameOnly:
        "Only the name is known. Sign in once with an interactive call, with the name as login_hint."
      }
    }
  }

  /// A person at an application, in the older cache.
  public struct Account: Sendable, Hashable {
    /// What the person signs in with; empty if the cache does not say.
    public let username: String
    /// The identifier, if the cache has one; otherwise it is known after the first token.
    public let homeAccountID: String?
    /// The host of the authority.
    public let environment: String
    /// The application; `foci-` and a number for what a family shares.
    public let clientID: String
    /// What became of it.
    public package(set) var outcome: Outcome
    /// Why not, for an account that was not taken over.
    public package(set) var reason: Reason?
  }

  /// An entry that could not be read; the others are not worse for it.
  public struct Damage: Sendable, Hashable {
    /// Which entry, counted from 0; nil for what is around them.
    public let entry: Int?
    /// A stable name in snake case.
    public let code: String
    /// What is wrong, for a developer.
    public let message: String
  }

  /// The format that was read.
  public let format: String
  /// Whether nothing was stored, because only a report was asked for.
  public let isDryRun: Bool
  /// The accounts, sorted by name, environment and application.
  public package(set) var accounts: [Account] = []
  /// How many records of the unified schema lay beside them and were taken over, or were there already.
  ///
  /// Of a dry run, how many would be. The accounts that they are of are in ``accounts``.
  public package(set) var recordCount = 0
  /// How much stays where it is because it is nobody's to act on, by kind.
  public package(set) var preserved: [String: Int] = [:]
  /// The entries that could not be read.
  public package(set) var damaged: [Damage] = []
  /// How many more could not be read than ``damaged`` lists.
  public package(set) var furtherDamaged = 0

  init(format: String, isDryRun: Bool) {
    self.format = format
    self.isDryRun = isDryRun
  }

  /// How many accounts have an outcome.
  public func count(_ outcome: Outcome) -> Int {
    accounts.lazy.filter { $0.outcome == outcome }.count
  }
}
