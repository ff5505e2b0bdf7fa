// SPDX-License-Identifier: MIT
// Changes that could not be committed at once. Records stored by other processes in the meantime take precedence.

package import TesseraWire

extension CacheChange {
  /// The secrets of the credentials that the change stores unconditionally, such as those of a sign-in.
  package var storedCredentials: [RecordKey: Secret] {
    steps.reduce(into: [:]) { stored, step in
      guard case .put(.credential(let record)) = step else { return }
      stored[record.key] = record.secret
    }
  }

  /// The secrets of the access tokens that the change stores unconditionally.
  package var replacingAccessTokens: [RecordKey: Secret] {
    steps.reduce(into: [:]) { stored, step in
      guard case .replaceAccessToken(let token, _) = step else { return }
      stored[token.key] = token.secret
    }
  }

  /// The keys of all records that another process may store before the change is written, and of those it depends on.
  package var contestedKeys: [RecordKey] {
    var keys = Array(storedCredentials.keys) + replacingAccessTokens.keys
    for case .renew(let redeemed, _, let steps) in steps {
      keys += [redeemed.key] + CacheChange(steps).replacingAccessTokens.keys
    }
    return keys
  }

  /// Returns a change for a later commit, which leaves a record unchanged if it differs from the one seen.
  ///
  /// A refresh already compares its refresh token. The credentials of a sign-in are stored together or not at all. An
  /// access token is skipped separately, because another process has stored a newer one.
  ///
  /// - Parameter seen: The secrets at the contested keys.
  package func guarded(against seen: [RecordKey: Secret]) -> CacheChange {
    let later = steps.map { $0.guarded(against: seen) }
    let stored = storedCredentials
    guard !stored.isEmpty else { return CacheChange(later) }
    var before: [RecordKey: Secret?] = [:]
    for key in stored.keys { before.updateValue(seen[key], forKey: key) }
    return CacheChange([.unlessChanged(before, later)])
  }
}

extension CacheChange.Step {
  fileprivate func guarded(against seen: [RecordKey: Secret]) -> CacheChange.Step {
    switch self {
    case .replaceAccessToken(let token, _): .unlessChanged([token.key: seen[token.key]], [self])
    case .renew(let redeemed, let others, let steps):
      .renew(redeemed, alsoAccepting: others, steps.map { $0.guarded(against: seen) })
    default: self
    }
  }
}
