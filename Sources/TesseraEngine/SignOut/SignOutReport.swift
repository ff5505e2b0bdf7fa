// SPDX-License-Identifier: MIT
// What a sign-out removed, and what stays where.

/// What became of a sign-out; what is on this machine is gone, whatever the provider said.
public struct SignOutReport: Sendable {
  /// How many records were removed.
  public struct Removed: Sendable, Hashable {
    /// Profiles of people, one for each tenant.
    public package(set) var accounts = 0
    /// Access tokens.
    public package(set) var accessTokens = 0
    /// Refresh tokens.
    public package(set) var refreshTokens = 0
    /// ID tokens.
    public package(set) var idTokens = 0
  }

  /// Something that stays.
  public struct LeftoverToken: Sendable, Hashable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
      /// Another application keeps its sign-in.
      case otherApplication = "other_application"
      /// The refresh token of a family, for the other members.
      case familyToken = "family_refresh_token"
      /// Access tokens that were handed out are good at their resources until they expire.
      case handedOutTokens = "handed_out_access_tokens"
      /// Refresh tokens that were not revoked are good at the provider for whoever has a copy.
      case unrevokedTokens = "unrevoked_refresh_tokens"
      /// The browser's session at the provider.
      case browserSession = "browser_session"
      /// A damaged database that was set aside.
      case setAside = "set_aside_store"
      /// The store of another group: programs that never shared one with this one.
      case otherGroup = "other_group"
    }

    /// What it is.
    public let kind: Kind
    /// The application that keeps it, if it is one.
    public package(set) var clientID: String?
    /// Until when, in seconds since 1970, if that is known.
    public package(set) var expiresOn: Int64?
    /// The file it lies in, if it is one.
    public package(set) var path: String?

    init(_ kind: Kind) { self.kind = kind }
  }

  /// What the provider said to the revocation of a refresh token.
  public struct Revocation: Sendable {
    /// The application that it was issued to.
    public let clientID: String
    /// Why it was not revoked; nil if it was.
    public let error: TesseraError?
  }

  /// Of what.
  public let scope: SignOutScope
  /// Who; those whom this application knew, for the whole machine.
  public package(set) var accounts: [Account] = []
  /// How much was removed.
  public package(set) var removed = Removed()
  /// What stays, and where.
  public package(set) var remaining: [LeftoverToken] = []
  /// One for each refresh token that was to be revoked.
  public package(set) var revocations: [Revocation] = []
  /// The address at which a browser ends its session; nil unless it was asked for and the provider has one.
  ///
  /// It contains the ID token of the account (`id_token_hint`): open it in the browser and do not log it.
  public package(set) var endSessionURL: String?
  /// What the identity broker did; nil if it was not to be asked.
  public package(set) var broker: BrokerRemoval?
  /// What wants attention although the account is gone.
  public package(set) var warnings: [String] = []

  init(_ scope: SignOutScope) { self.scope = scope }
}

extension SignOutReport: CustomStringConvertible, CustomReflectable {
  /// The report without the end-session address, which contains an ID token.
  public var description: String {
    "SignOutReport(\(scope.rawValue), accounts: \(accounts.count), removed: \(removed), warnings: \(warnings))"
  }

  /// The parts of ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "scope": scope, "accounts": accounts, "removed": removed, "remaining": remaining,
        "revocations": revocations, "warnings": warnings,
      ])
  }
}
