// SPDX-License-Identifier: MIT
// What became of the accounts of another store.

/// Which store is copied, and how.
public struct CopyRequest: Sendable, Hashable {
  /// The one account that is copied, by its ``Account/homeAccountID``; nil for all, with what belongs to nobody.
  public var homeAccountID: String?
  /// Whether only the report is wanted.
  public var isDryRun = false
  /// Milliseconds to wait for a store that another process holds, at each look; nil for ten seconds.
  public var timeoutMilliseconds: Int64?

  /// Everything is copied.
  public init() {}
}

/// What another store held, and what was copied.
public struct CopyReport: Sendable, Hashable {
  /// What became of a person's tokens.
  public enum Outcome: String, Sendable, CaseIterable {
    /// Something of it was new here, or newer than what was here.
    case copied
    /// Everything was here already, as new or newer.
    case alreadyHere = "already_here"
  }

  /// A person in the other store.
  public struct Account: Sendable, Hashable {
    /// The person's identifier.
    public let homeAccountID: String
    /// The host of the cloud, or the issuer without `https://`.
    public let environment: String
    /// What the person signs in with; empty if the store does not say.
    public let username: String
    /// What became of it.
    public let outcome: Outcome
    /// How many of its records were new here or newer.
    public let recordCount: Int
  }

  /// Whether nothing was stored, because only a report was asked for.
  public internal(set) var isDryRun = false
  /// What became of each account.
  public internal(set) var accounts: [Account] = []
  /// How many records were new here or newer, those that belong to nobody among them.
  public internal(set) var recordCount = 0
}
