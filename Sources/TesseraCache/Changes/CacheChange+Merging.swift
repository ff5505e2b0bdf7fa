// SPDX-License-Identifier: MIT
// Merging of pending refreshes, so that each refresh token has at most one pending change.

import TesseraWire

extension CacheChange {
  /// Merges this change with an earlier pending one, or returns `nil` if they must stay separate.
  ///
  /// Two refreshes can be merged if the later one redeemed the token that the earlier one returned. Both must be
  /// guarded.
  package func mergingPending(_ earlier: CacheChange) -> CacheChange? {
    guard let old = PendingRefresh(earlier), let new = PendingRefresh(self),
      new.redeemed.key == old.redeemed.key, new.redeemed.secret == old.secret
    else { return nil }
    // The earlier change may have been written: its commit was in progress, or its last step reported an error.
    let between =
      old.alsoAccepting + (new.redeemed.secret == old.redeemed.secret ? [] : [old.secret])
    let renewal = Step.renew(
      old.redeemed,
      alsoAccepting: Array((between + new.alsoAccepting).suffix(CacheChange.secretsKept)),
      old.steps.filter { !new.supersedes($0) } + new.steps.map { $0.guarded(like: old.steps) })
    return CacheChange([renewal] + old.others + new.others)
  }

  /// The maximum number of refresh tokens to recognize in a chain of refreshes, latest first.
  private static let secretsKept = 16
}

/// A pending refresh: the redeemed token, the steps that store its result, and all other steps.
private struct PendingRefresh {
  let redeemed: CredentialRecord
  let alsoAccepting: [Secret]
  let steps: [CacheChange.Step]
  let others: [CacheChange.Step]

  init?(_ change: CacheChange) {
    guard case .renew(let redeemed, let alsoAccepting, let steps)? = change.steps.first else {
      return nil
    }
    self.redeemed = redeemed
    self.alsoAccepting = alsoAccepting
    self.steps = steps
    others = Array(change.steps.dropFirst())
  }

  /// The refresh token after the refresh: the new one, or the redeemed one if it was not rotated.
  var secret: Secret {
    CacheChange(steps).storedCredentials[redeemed.key] ?? redeemed.secret
  }

  /// Whether the steps of this refresh make an earlier step redundant.
  func supersedes(_ step: CacheChange.Step) -> Bool {
    guard let key = step.recordKey else { return false }
    return steps.contains { $0.recordKey == key }
  }
}

extension CacheChange.Step {
  /// The key of the record that a step of a refresh stores.
  fileprivate var recordKey: RecordKey? {
    switch self {
    case .put(let record): record.key
    case .replaceAccessToken(let token, _): token.key
    case .mergeAccount(let account): account.key
    case .unlessChanged(_, let steps): steps.first?.recordKey
    default: nil
    }
  }

  /// Returns the step, guarded by the state before the earlier step for the same record.
  fileprivate func guarded(like earlier: [CacheChange.Step]) -> CacheChange.Step {
    guard case .unlessChanged(_, let steps) = self,
      let old = earlier.first(where: { $0.recordKey == recordKey })
    else { return self }
    guard case .unlessChanged(let seen, _) = old else { return steps.first ?? self }
    return .unlessChanged(seen, steps)
  }
}
