// SPDX-License-Identifier: MIT
// The commit of a change that follows from a response of a server.

import TesseraCache
import TesseraWire

extension FlowContext {
  /// Commits a change that follows from a response of the server.
  ///
  /// The server may already have invalidated the old refresh token. Therefore neither a cancellation nor a deadline may
  /// lose the new one: the commit has its own timeout.
  @discardableResult
  func commitWithOwnTimeout(_ change: CacheChange) -> CredentialCache.CommitResult {
    cache.commit(
      change,
      within: CallLimits(
        timeoutMilliseconds: CallLimits.commitMilliseconds, time: dependencies.time))
  }

  /// Stores the tokens of a response, and returns its result, with the scopes that the server declined.
  ///
  /// - Throws: The error of a response that cannot be used.
  func store(
    _ change: CacheChange, _ tokenRecords: TokenResponseRecords, from authority: ResolvedAuthority,
    _ scopes: Scopes, _ before: CacheSnapshot?
  ) throws(TesseraError) -> TokenResult {
    let commit = commitWithOwnTimeout(change)
    var result = try tokenRecords.result(from: authority, before: before)
    result.warnings += authority.warnings
    if let warning = commit.warning {
      result.isPersisted = false
      result.warnings.append(warning)
    }
    result.declinedScopes = tokenRecords.declinedScopes(of: scopes)
    return result
  }
}

extension CredentialCache.CommitResult {
  /// The reason why the tokens are not in the store; `nil` if they are.
  fileprivate var warning: String? {
    switch self {
    case .committed(.applied), .committed(.migrated): nil
    case .committed(.superseded(let removal)): removal.warning
    case .queued(let problem): problem.message
    }
  }
}

extension CommitOutcome.Removal {
  fileprivate var warning: String {
    switch self {
    case .signOut: "The account signed out while its token was being refreshed: sign in again."
    case .refreshToken:
      "Another process removed the refresh token while it was being redeemed: sign in again."
    case .importedToken:
      "The migrated refresh token was removed while it was being redeemed, for example by a sign-out."
    }
  }
}
