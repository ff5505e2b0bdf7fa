// SPDX-License-Identifier: MIT
// Refreshes that wait for a store as one change for each refresh token, however many there were.

import TesseraWire

extension CacheChange {
  /// This change and an earlier one that waits as well, as one; nil if they have to stay two.
  ///
  /// Two refreshes become one if the later one redeemed what the earlier one brought. Both must have been guarded.
  package func absorbing(_ earlier: CacheChange) -> CacheChange? {
    guard let old = WaitingRenewal(earlier), let new = WaitingRenewal(self),
      new.redeemed.key == old.redeemed.key, new.redeemed.secret == old.secret
    else { return nil }
    // The earlier one may have been written after all: its commit was under way, or failed in its last step.
    let between = old.alsoAfter + (new.redeemed.secret == old.redeemed.secret ? [] : [old.secret])
    let renewal = Step.renew(
      old.redeemed, alsoAfter: Array((between + new.alsoAfter).suffix(CacheChange.secretsKept)),
      old.steps.filter { !new.supersedes($0) } + new.steps.map { $0.guarded(like: old.steps) })
    return CacheChange([renewal] + old.others + new.others)
  }

  /// How many refresh tokens of a chain are known again, the latest ones.
  private static let secretsKept = 16
}

/// A refresh that waits: what it redeemed, what it brought, and what else belongs to it.
private struct WaitingRenewal {
  let redeemed: CredentialRecord
  let alsoAfter: [Secret]
  let steps: [CacheChange.Step]
  let others: [CacheChange.Step]

  init?(_ change: CacheChange) {
    guard case .renew(let redeemed, let alsoAfter, let steps)? = change.steps.first else {
      return nil
    }
    self.redeemed = redeemed
    self.alsoAfter = alsoAfter
    self.steps = steps
    others = Array(change.steps.dropFirst())
  }

  /// The refresh token that it leaves: the one it brought, or the old one.
  var secret: Secret {
    CacheChange(steps).storedCredentials[redeemed.key] ?? redeemed.secret
  }

  /// Whether a step of an earlier refresh says nothing more beside the steps of this one.
  func supersedes(_ step: CacheChange.Step) -> Bool {
    guard let key = step.recordKey else { return false }
    return steps.contains { $0.recordKey == key }
  }
}

extension CacheChange.Step {
  /// The record that a step of a refresh stores.
  fileprivate var recordKey: RecordKey? {
    switch self {
    case .put(let record): record.key
    case .replaceAccessToken(let token): token.key
    case .mergeAccount(let account): account.key
    case .unlessChanged(_, let steps): steps.first?.recordKey
    default: nil
    }
  }

  /// The step, guarded as an earlier one for the same record is: by what was there before both.
  fileprivate func guarded(like earlier: [CacheChange.Step]) -> CacheChange.Step {
    guard case .unlessChanged(_, let steps) = self,
      let old = earlier.first(where: { $0.recordKey == recordKey })
    else { return self }
    guard case .unlessChanged(let seen, _) = old else { return steps.first ?? self }
    return .unlessChanged(seen, steps)
  }
}
