// SPDX-License-Identifier: MIT
// Requests and results of a copy between two stores.

/// The options of a copy between two stores.
public struct CopyRequest: Sendable, Hashable {
  /// The account to copy, by its ``Account/homeAccountID``; `nil` for all accounts and for records without an account.
  public var homeAccountID: String?
  /// Whether to create only a report, without storing anything.
  public var isDryRun = false
  /// The timeout of the whole call; `nil` for ten seconds for each access to a store that another process holds.
  public var timeout: Duration?

  /// Creates a request, by default to copy all records.
  public init(
    homeAccountID: String? = nil, isDryRun: Bool = false, timeout: Duration? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.isDryRun = isDryRun
    self.timeout = timeout
  }
}

/// The result of a copy between two stores.
public struct CopyReport: Sendable, Hashable {
  /// The outcome for an account.
  public enum Outcome: String, Sendable, CaseIterable {
    /// At least one record was missing or older in the target store.
    case copied
    /// All records were already in the target store, in the same or a newer version.
    case alreadyHere = "already_here"
  }

  /// An account in the source store.
  public struct Account: Sendable, Hashable {
    /// The identifier of the account.
    public let homeAccountID: String
    /// The host of the cloud, or the issuer without `https://`.
    public let environment: String
    /// The user name; empty if the store does not contain it.
    public let username: String
    /// The outcome for the account.
    public let outcome: Outcome
    /// The number of its records that were missing or older in the target store.
    public let recordCount: Int

    /// Creates the outcome for an account.
    public init(
      homeAccountID: String, environment: String, username: String, outcome: Outcome,
      recordCount: Int
    ) {
      self.homeAccountID = homeAccountID
      self.environment = environment
      self.username = username
      self.outcome = outcome
      self.recordCount = recordCount
    }
  }

  /// Whether this is the report of a dry run, in which nothing was stored.
  public var isDryRun = false
  /// The outcome for each account.
  public var accounts: [Account] = []
  /// The number of records that were missing or older, including those without an account.
  public var recordCount = 0

  /// Creates a report without accounts.
  public init() {}
}
