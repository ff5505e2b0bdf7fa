// SPDX-License-Identifier: MIT
// A change that could not be written at once: what somebody else stores meanwhile is newer.

package import TesseraWire

extension CacheChange {
  /// The credentials that it stores whatever is there, such as those of a sign-in.
  package var storedCredentials: [RecordKey: Secret] {
    steps.reduce(into: [:]) { stored, step in
      guard case .put(.credential(let record)) = step else { return }
      stored[record.key] = record.secret
    }
  }

  /// The access tokens that it stores whatever is there.
  package var replacingAccessTokens: [RecordKey: Secret] {
    steps.reduce(into: [:]) { stored, step in
      guard case .replaceAccessToken(let token) = step else { return }
      stored[token.key] = token.secret
    }
  }

  /// The keys of everything that somebody else may have stored before it is written, and of what it depends on.
  package var contestedKeys: [RecordKey] {
    var keys = Array(storedCredentials.keys) + replacingAccessTokens.keys
    for case .renew(let redeemed, _, let steps) in steps {
      keys += [redeemed.key] + CacheChange(steps).replacingAccessTokens.keys
    }
    return keys
  }

  /// The same change for later: what is not as it was seen stays as it is.
  ///
  /// The refresh token of a refresh compares by itself; what a sign-in brought belongs together. An access token is left
  /// out alone: somebody has a newer one.
  ///
  /// - Parameter seen: the secrets that were at the contested keys.
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
    case .replaceAccessToken(let token): .unlessChanged([token.key: seen[token.key]], [self])
    case .renew(let redeemed, let others, let steps):
      .renew(redeemed, alsoAfter: others, steps.map { $0.guarded(against: seen) })
    default: self
    }
  }
}
