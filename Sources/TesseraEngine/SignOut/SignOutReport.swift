// SPDX-License-Identifier: MIT
// The result of a sign-out: the removed records and the remaining tokens and sessions.

/// The result of a sign-out.
///
/// The local records are removed, even if the provider reported errors.
public struct SignOutReport: Sendable {
  /// The number of removed records of each type.
  public struct Removed: Sendable, Hashable {
    /// Tenant profiles of accounts.
    public var accounts = 0
    /// Access tokens.
    public var accessTokens = 0
    /// Refresh tokens.
    public var refreshTokens = 0
    /// ID tokens.
    public var idTokens = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// A token, session or file that remains after the sign-out.
  public struct LeftoverToken: Sendable, Hashable {
    /// The kind of a remaining item.
    public enum Kind: String, Sendable, CaseIterable {
      /// Another application is still signed in.
      case otherApplication = "other_application"
      /// The refresh token of a family, which its other applications use.
      case familyToken = "family_refresh_token"
      /// Access tokens already returned to callers, which resources accept until they expire.
      case handedOutTokens = "handed_out_access_tokens"
      /// Refresh tokens that were not revoked.
      ///
      /// The provider still accepts copies of them.
      case unrevokedTokens = "unrevoked_refresh_tokens"
      /// The browser's session at the provider.
      case browserSession = "browser_session"
      /// A quarantined database.
      case setAside = "set_aside_store"
      /// The store of another application group, which never shared a store with this application.
      case otherGroup = "other_group"
    }

    /// The kind of the item.
    public let kind: Kind
    /// The client ID of the application that still has the token; `nil` if not applicable.
    public var clientID: String?
    /// The expiry time in seconds since 1970; `nil` if unknown.
    package var expiresOn: Int64?
    /// The path of the file; `nil` if the item is not a file.
    public var path: String?

    /// Creates a remaining item.
    public init(_ kind: Kind, clientID: String? = nil, path: String? = nil) {
      self.kind = kind
      self.clientID = clientID
      self.path = path
    }
  }

  /// The result of revoking one refresh token.
  public struct Revocation: Sendable {
    /// The client ID to which the token was issued.
    public let clientID: String
    /// The reason why the token was not revoked; `nil` on success.
    public let error: TesseraError?

    /// Creates the result of a revocation.
    public init(clientID: String, error: TesseraError? = nil) {
      self.clientID = clientID
      self.error = error
    }
  }

  /// The scope of the sign-out.
  public let scope: SignOutScope
  /// The accounts that were signed out.
  ///
  /// For the whole machine, those known to this application.
  public var accounts: [Account] = []
  /// The number of removed records.
  public var removed = Removed()
  /// The tokens, sessions and files that remain.
  public var remaining: [LeftoverToken] = []
  /// The revocation results, one for each refresh token.
  public var revocations: [Revocation] = []
  /// The URL that ends the browser session; `nil` unless requested and supported by the provider.
  ///
  /// The URL contains an ID token of the account (`id_token_hint`). Open it in the browser, and do not log it.
  public var endSessionURL: String?
  /// The result of the removal from the identity broker; `nil` if it was not requested.
  public var broker: BrokerRemoval?
  /// The warnings of a successful sign-out.
  public var warnings: [String] = []

  /// Creates a report without removed records.
  public init(_ scope: SignOutScope) { self.scope = scope }
}

extension SignOutReport: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The report without the end-session URL, which contains an ID token.
  public var description: String {
    "SignOutReport(\(scope.rawValue), accounts: \(accounts.count), removed: \(removed), warnings: \(warnings))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The members of ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "scope": scope, "accounts": accounts, "removed": removed, "remaining": remaining,
        "revocations": revocations, "warnings": warnings,
      ])
  }
}
