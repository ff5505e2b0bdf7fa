// SPDX-License-Identifier: MIT
// The commit of a change that follows from a response of a server.

import TesseraCache
import TesseraWire

extension FlowContext {
  /// Commits a change that follows from a response of the server.
  ///
  /// The server may already have invalidated the old refresh token. Therefore neither a cancellation nor a deadline may
  /// lose the new one: the commit has its own timeout.
  ///
  /// - Returns: `nil`, or the reason why the tokens are in memory only.
  @discardableResult
  func commitWithOwnTimeout(_ change: CacheChange) -> TesseraError? {
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
    let problem = commitWithOwnTimeout(change)
    var result = try tokenRecords.result(from: authority, before: before)
    result.warnings += authority.warnings
    if let problem {
      result.isPersisted = false
      result.warnings.append(problem.message)
    }
    result.declinedScopes = tokenRecords.declinedScopes(of: scopes)
    return result
  }
}
