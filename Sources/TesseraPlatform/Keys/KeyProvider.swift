// SPDX-License-Identifier: MIT
// The keys of stores, kept where the policy allows and this machine can.

package import TesseraEngine
import TesseraWire

/// Keeps the key of one application's store.
///
/// Sources are asked on the calling thread, each within three seconds, without ever showing a prompt. A key that was
/// found is not asked for again; a source that let the time pass is left alone for a minute.
package final class KeyProvider: KeyProtection {
  private struct State {
    var known: [KeyLocation: KeyMaterial] = [:]
    /// What was made last; the commit that should have used it may have failed.
    var made: MadeKey?
    /// The same of a key in place of another one, and where that one is kept.
    var replacement: (old: KeyLocation?, made: MadeKey)?
  }

  private let policy: StoragePolicy
  private let sources: [KeySource]
  /// Whose keys are believed; nil for everybody's.
  private let believed: Set<KeySource>?
  private let callerKey: CallerKey
  private let holders: [any KeyHolder]
  private let time: any TimeSource
  private let randomness: any Randomness
  private let log: Log
  private let silent: SilentSources
  private let state = SpinLock(State())

  /// The keeper that a configuration wants.
  ///
  /// A key of the program is the only source of a new store.
  ///
  /// - Parameter holders: the sources other than the program itself.
  init(
    _ configuration: ApplicationConfiguration, holders: [any KeyHolder], time: any TimeSource,
    randomness: any Randomness
  ) {
    policy = configuration.storagePolicy
    sources = configuration.storeKey == nil ? configuration.keySources : [.caller]
    believed = configuration.believedSources
    callerKey = CallerKey(configuration.storeKey)
    self.holders = holders
    self.time = time
    silent = SilentSources(time)
    self.randomness = randomness
    log = configuration.log
  }

  package func prepare(within limits: CallLimits) throws(TesseraError) {
    guard policy == .requireEncrypted else { return }
    let outlook = try outlook(within: limits)
    guard let problem = outlook.problem else { return }
    // Who keeps the key itself wants no other one.
    if let last = outlook.attempts.last, last.source == .caller { throw .keyUnavailable(last) }
    throw problem
  }

  package func makeKey(within limits: CallLimits) throws(TesseraError) -> MadeKey {
    if let made = state.withLock({ $0.made }), isKept(made, limits) { return made }
    let made = try newKey(within: limits)
    state.withLock { state in
      state.made = made
      if let key = made.key { state.known[key.place] = key.material }
    }
    return made
  }

  package func replaceKey(
    at old: KeyLocation?, with given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> MadeKey {
    if given == nil, old?.source == .caller { throw .newKeyMissing }
    if let (known, made) = state.withLock({ $0.replacement }), given == nil, known == old,
      isKept(made, limits)
    {
      return made
    }
    let made = try newKey(in: old, of: given.map { CallerKey($0) }, within: limits)
    if let old, made.key?.place == old { throw .keyIsTheSame }
    state.withLock { state in
      state.replacement = (old, made)
      if let key = made.key { state.known[key.place] = key.material }
    }
    return made
  }

  package func key(
    at place: KeyLocation, within limits: CallLimits
  ) throws(TesseraError) -> KeyMaterial {
    if let key = state.withLock({ $0.known[place] }) { return key }
    if let believed, !believed.contains(place.source) { throw .notBelieved(place.source) }
    do throws(KeyFailure) {
      let key = try silent.asking(place.source) { () throws(KeyFailure) in
        try holder(of: place.source).key(named: place.name, within: KeyLimits(limits, time))
      }
      state.withLock { $0.known[place] = key }
      return key
    } catch {
      let attempt = try attempt(place.source, error)
      throw attempt.problem == .otherKey ? .otherKey(attempt) : .keyUnavailable(attempt)
    }
  }

  package func forget(_ place: KeyLocation) {
    _ = state.withLock { $0.known.removeValue(forKey: place) }
  }

  package func outlook(within limits: CallLimits) throws(TesseraError) -> KeyAvailability {
    var outlook = KeyAvailability()
    for source in sources {
      do throws(KeyFailure) {
        try allow(source)
        let holder = try holder(of: source)
        try silent.asking(source) { () throws(KeyFailure) in
          try holder.look(within: KeyLimits(limits, time))
        }
        outlook.source = source
        outlook.protection = source.isProtected ? .encrypted : .obfuscated
        return outlook
      } catch {
        outlook.attempts.append(try attempt(source, error))
      }
    }
    if policy == .allowPlaintext, sources != [.caller] {
      outlook.protection = .plaintext
    } else {
      outlook.problem = unprotected(outlook.attempts)
    }
    return outlook
  }

  package func check(_ place: KeyLocation?) throws(TesseraError) {
    let isEnough =
      switch policy {
      case .requireEncrypted: place?.source.isProtected ?? false
      case .preferEncrypted: place != nil
      case .allowPlaintext, .memoryOnly: true
      }
    guard !isEnough else { return }
    throw .encryptionUnavailable(
      policy, place == nil ? "The store is in clear" : "The key of the store lies in a file",
      "Choose another storage_policy, or another group or store_directory to start anew.")
  }

  package func checkClear() throws(TesseraError) {
    if policy == .requireEncrypted { try check(nil) }
    if believed == [.caller], policy == .preferEncrypted { throw .notBelieved(nil) }
  }
}

extension KeyProvider {
  /// A key in the first source that can have it.
  ///
  /// - Parameters:
  ///   - old: where the key is kept that it replaces, which must not have been kept better.
  ///   - given: a key of the program in place of the one that the configuration has.
  private func newKey(
    in old: KeyLocation? = nil, of given: CallerKey? = nil, within limits: CallLimits
  ) throws(TesseraError) -> MadeKey {
    var attempts: [KeyAttempt] = []
    for source in sources {
      do throws(KeyFailure) {
        try allow(source, insteadOf: old?.source)
        let key = try made(by: source, given ?? callerKey, within: limits)
        return MadeKey(key: key, attempts: attempts)
      } catch {
        attempts.append(try attempt(source, error))
      }
      // Who keeps the key itself wants no other one.
      if source == .caller, let attempt = attempts.last { throw .keyUnavailable(attempt) }
    }
    guard policy == .allowPlaintext, old == nil else { throw unprotected(attempts) }
    return MadeKey(key: nil, attempts: attempts)
  }

  /// Throws when the policy wants more than a source gives, or the key that is replaced had more.
  private func allow(
    _ source: KeySource, insteadOf old: KeySource? = nil
  ) throws(KeyFailure) {
    if let old, old.isProtected, !source.isProtected {
      throw .refused(.policy, "it protects less than \(old.words), which has the key now")
    }
    guard policy == .requireEncrypted, !source.isProtected else { return }
    throw .refused(.policy, "storage_policy is \(policy.rawValue), and whoever has the disk has it")
  }

  private func made(
    by source: KeySource, _ callerKey: CallerKey, within limits: CallLimits
  ) throws(KeyFailure) -> (place: KeyLocation, material: KeyMaterial) {
    if source == .caller {
      let (name, key) = try callerKey.material()
      return (KeyLocation(source: source, name: name), key)
    }
    let name = Hexadecimal.text(randomness.bytes(16))
    let key = KeyMaterial(randomness.bytes(StoreKey.byteCount))
    let holder = try holder(of: source)
    return try silent.asking(source) { () throws(KeyFailure) in
      try holder.keep(key, named: name, within: KeyLimits(limits, time))
      return (KeyLocation(source: source, name: name), key)
    }
  }

  private func holder(of source: KeySource) throws(KeyFailure) -> any KeyHolder {
    if source == .caller { return callerKey }
    guard let holder = holders.first(where: { $0.source == source }) else {
      throw .refused(.failed, "this system has none")
    }
    return holder
  }

  /// Whether a key that was made before is still where it was kept.
  private func isKept(_ made: MadeKey, _ limits: CallLimits) -> Bool {
    guard let (place, material) = made.key, let holder = try? holder(of: place.source),
      let kept = try? holder.key(named: place.name, within: KeyLimits(limits, time))
    else { return false }
    return kept == material
  }

  /// What is to be said of a source that failed.
  ///
  /// - Throws: what ended the call: a short deadline must not lead to a weaker source.
  private func attempt(
    _ source: KeySource, _ failure: KeyFailure
  ) throws(TesseraError) -> KeyAttempt {
    switch failure {
    case .ended(let error): throw error
    case .refused(let problem, let reason):
      let attempt = KeyAttempt(source: source, problem: problem, reason: reason)
      log.write(.information, "No key from \(attempt.text).")
      return attempt
    }
  }

  private func unprotected(_ attempts: [KeyAttempt]) -> TesseraError {
    .encryptionUnavailable(
      policy, "No key could be made (\(attempts.isEmpty ? "key_sources is empty" : attempts.text))",
      "Nothing was written. Unlock the keyring, offer other key_sources, give a store_key, or choose another storage_policy."
    )
  }
}
