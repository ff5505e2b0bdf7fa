// SPDX-License-Identifier: MIT
// The data keys of stores, from the sources that the policy allows.

package import TesseraEngine
import TesseraWire

/// The key provider of one application's store.
///
/// Sources are called on the calling thread, each with a timeout of three seconds, and never show a prompt. Keys are cached. A
/// source that timed out is skipped for one minute.
package final class KeyProvider: KeyProtection {
  private struct State {
    var known: [KeyLocation: KeyMaterial] = [:]
    /// The key created last, for the retry of a failed commit.
    var made: CreatedKey?
    /// The replacement key created last, for the retry of a failed commit, and the location of the key that it replaces.
    var replacement: (old: KeyLocation?, made: CreatedKey)?
  }

  private let policy: StoragePolicy
  private let sources: [KeySource]
  /// The sources whose keys are trusted; nil for all.
  private let trusted: Set<KeySource>?
  private let callerKey: CallerKey
  private let storages: [any KeyStorage]
  private let time: any TimeSource
  private let randomness: any Randomness
  private let log: TesseraLog
  private let backoff: KeySourceBackoff
  private let state = SpinLock(State())

  /// Creates the key provider for a configuration.
  ///
  /// If the application supplies a key, that is the only source for a new store.
  ///
  /// - Parameter storages: The sources other than the application itself.
  init(
    _ configuration: ApplicationConfiguration, storages: [any KeyStorage], time: any TimeSource,
    randomness: any Randomness
  ) {
    let options = configuration.store.sqliteOptions
    policy = options.policy
    sources = options.key == nil ? options.keySources ?? KeySource.usual : [.caller]
    trusted = options.trustedKeySources
    callerKey = CallerKey(options.key)
    self.storages = storages
    self.time = time
    backoff = KeySourceBackoff(time)
    self.randomness = randomness
    log = configuration.log
  }

  package func prepare(within limits: CallLimits) throws(TesseraError) {
    guard policy == .requireEncrypted else { return }
    let availability = try availability(within: limits)
    guard let problem = availability.problem else { return }
    // An application that supplies the key must not get another one.
    if let last = availability.attempts.last, last.source == .caller { throw .keyUnavailable(last) }
    throw problem
  }

  package func createKey(within limits: CallLimits) throws(TesseraError) -> CreatedKey {
    if let made = state.withLock({ $0.made }), isStillStored(made, limits) { return made }
    let made = try newKey(within: limits)
    state.withLock { state in
      state.made = made
      if let key = made.key { state.known[key.location] = key.material }
    }
    return made
  }

  package func replaceKey(
    at old: KeyLocation?, with given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> CreatedKey {
    if given == nil, old?.source == .caller { throw .newKeyMissing }
    if let (known, made) = state.withLock({ $0.replacement }), given == nil, known == old,
      isStillStored(made, limits)
    {
      return made
    }
    let made = try newKey(in: old, of: given.map { CallerKey($0) }, within: limits)
    if let old, made.key?.location == old { throw .keyIsTheSame }
    state.withLock { state in
      state.replacement = (old, made)
      if let key = made.key { state.known[key.location] = key.material }
    }
    return made
  }

  package func key(
    at location: KeyLocation, within limits: CallLimits
  ) throws(TesseraError) -> KeyMaterial {
    if let key = state.withLock({ $0.known[location] }) { return key }
    if let trusted, !trusted.contains(location.source) { throw .untrustedStore(location.source) }
    do throws(KeyFailure) {
      let key = try backoff.withBackoff(location.source) { () throws(KeyFailure) in
        try storage(of: location.source).key(named: location.name, within: KeyLimits(limits, time))
      }
      state.withLock { $0.known[location] = key }
      return key
    } catch {
      let attempt = try attempt(location.source, error)
      throw attempt.problem == .otherKey ? .otherKey(attempt) : .keyUnavailable(attempt)
    }
  }

  package func invalidateCachedKey(_ location: KeyLocation) {
    _ = state.withLock { $0.known.removeValue(forKey: location) }
  }

  package func availability(within limits: CallLimits) throws(TesseraError) -> KeyAvailability {
    var availability = KeyAvailability()
    for source in sources {
      do throws(KeyFailure) {
        try allow(source)
        let storage = try storage(of: source)
        try backoff.withBackoff(source) { () throws(KeyFailure) in
          try storage.checkAvailability(within: KeyLimits(limits, time))
        }
        availability.source = source
        availability.protection = source.isProtected ? .encrypted : .obfuscated
        return availability
      } catch {
        availability.attempts.append(try attempt(source, error))
      }
    }
    if policy == .allowPlaintext, sources != [.caller] {
      availability.protection = .plaintext
    } else {
      availability.problem = unprotected(availability.attempts)
    }
    return availability
  }

  package func check(_ location: KeyLocation?) throws(TesseraError) {
    let isEnough =
      switch policy {
      case .requireEncrypted: location?.source.isProtected ?? false
      case .preferEncrypted: location != nil
      case .allowPlaintext, .memoryOnly: true
      }
    guard !isEnough else { return }
    throw .encryptionUnavailable(
      policy, location == nil ? "The store is not encrypted" : "The key of the store is in a file",
      "Choose another store.policy, or another store.group or store.directory for a new store.")
  }

  package func checkUnencryptedAllowed() throws(TesseraError) {
    if policy == .requireEncrypted { try check(nil) }
    if trusted == [.caller], policy == .preferEncrypted { throw .untrustedStore(nil) }
  }
}

extension KeyProvider {
  /// Creates a key in the first usable source.
  ///
  /// - Parameters:
  ///   - old: The location of the key that is replaced. The new key must not be less protected.
  ///   - given: A key supplied by the application, instead of the one in the configuration.
  /// - Returns: The key, or no key if the policy allows an unencrypted store and every source failed.
  /// - Throws: `keyUnavailable` if the application's own key is missing; `encryptionUnavailable` if no source can be used.
  private func newKey(
    in old: KeyLocation? = nil, of given: CallerKey? = nil, within limits: CallLimits
  ) throws(TesseraError) -> CreatedKey {
    var attempts: [KeyAttempt] = []
    for source in sources {
      do throws(KeyFailure) {
        try allow(source, insteadOf: old?.source)
        let key = try made(by: source, given ?? callerKey, within: limits)
        return CreatedKey(key: key, attempts: attempts)
      } catch {
        attempts.append(try attempt(source, error))
      }
      // An application that supplies the key must not get another one.
      if source == .caller, let attempt = attempts.last { throw .keyUnavailable(attempt) }
    }
    guard policy == .allowPlaintext, old == nil else { throw unprotected(attempts) }
    return CreatedKey(key: nil, attempts: attempts)
  }

  /// Throws if a source protects less than the policy requires, or less than the source of the key that is replaced.
  private func allow(
    _ source: KeySource, insteadOf old: KeySource? = nil
  ) throws(KeyFailure) {
    if let old, old.isProtected, !source.isProtected {
      throw .refused(
        .policy, "it protects the key less than \(old.displayName), which stores it now")
    }
    guard policy == .requireEncrypted, !source.isProtected else { return }
    throw .refused(
      .policy, "store.policy is \(policy.rawValue), and the key would be on the same disk")
  }

  private func made(
    by source: KeySource, _ callerKey: CallerKey, within limits: CallLimits
  ) throws(KeyFailure) -> (location: KeyLocation, material: KeyMaterial) {
    if source == .caller {
      let (name, key) = try callerKey.material()
      return (KeyLocation(source: source, name: name), key)
    }
    let name = Hexadecimal.text(randomness.bytes(16))
    let key = KeyMaterial(randomness.bytes(StoreKey.byteCount))
    let storage = try storage(of: source)
    return try backoff.withBackoff(source) { () throws(KeyFailure) in
      try storage.persist(key, named: name, within: KeyLimits(limits, time))
      return (KeyLocation(source: source, name: name), key)
    }
  }

  private func storage(of source: KeySource) throws(KeyFailure) -> any KeyStorage {
    if source == .caller { return callerKey }
    guard let storage = storages.first(where: { $0.source == source }) else {
      throw .refused(.failed, "this system does not support it")
    }
    return storage
  }

  /// Whether the source still has a key that was created before.
  private func isStillStored(_ made: CreatedKey, _ limits: CallLimits) -> Bool {
    guard let (location, material) = made.key, let storage = try? storage(of: location.source),
      let kept = try? storage.key(named: location.name, within: KeyLimits(limits, time))
    else { return false }
    return kept == material
  }

  /// Returns the attempt to report for a source that failed.
  ///
  /// - Throws: The error that ended the call. A short deadline must not lead to a weaker source.
  private func attempt(
    _ source: KeySource, _ failure: KeyFailure
  ) throws(TesseraError) -> KeyAttempt {
    switch failure {
    case .ended(let error): throw error
    case .refused(let problem, let reason):
      let attempt = KeyAttempt(source: source, problem: problem, reason: reason)
      log.write(.information, "Key source unavailable: \(log.text(of: [attempt])).")
      return attempt
    }
  }

  private func unprotected(_ attempts: [KeyAttempt]) -> TesseraError {
    .encryptionUnavailable(
      policy,
      "No key could be created (\(attempts.isEmpty ? "store.key_sources is empty" : attempts.text))",
      "Nothing was written. Unlock the keyring, add store.key_sources, pass a store.key, or choose another store.policy."
    )
  }
}
