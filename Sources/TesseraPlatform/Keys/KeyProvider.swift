// SPDX-License-Identifier: MIT
// The key of a store, from its sources.

import CLibrary
import CTesseraSystem
package import TesseraEngine
import TesseraWire

/// The key provider of one application's store.
///
/// Sources are called on the calling thread, each with a timeout of three seconds, and never show a prompt. Keys are cached. A
/// source that timed out is skipped for one minute.
package final class KeyProvider: KeyProtection {
  private struct State {
    var known = SmallDictionary<KeyLocation, KeyMaterial>()
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
    state.withLock { $0.known[location] = nil }
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

extension KeyProvider {
  /// Creates the key provider for a configuration, with the sources of this machine.
  ///
  /// No source is accessed before a key is needed.
  package convenience init(
    _ configuration: ApplicationConfiguration, time: any TimeSource, randomness: any Randomness
  ) {
    let options = configuration.store.sqliteOptions
    let location = try? StoreLocation(
      group: options.group, directory: options.directory)
    self.init(
      configuration,
      storages: [
        SecretService(), KernelKeyring(),
        KeyFile(directory: KeyFile.defaultDirectory, storeDirectory: location?.directory),
      ], time: time, randomness: randomness)
  }
}

/// The time limits of one request to one source.
package struct KeyLimits {
  /// The timeout of a source, in milliseconds.
  package static let timeoutMilliseconds: Int64 = 3_000

  /// The limits of the call, which another thread may cancel.
  package let call: CallLimits
  private let time: any TimeSource
  private let endBy: UInt64

  /// Creates limits for a request that starts now.
  package init(_ call: CallLimits, _ time: any TimeSource) {
    self.call = call
    self.time = time
    endBy = time.monotonicNanoseconds.adding(UInt64(KeyLimits.timeoutMilliseconds) * 1_000_000)
  }

  /// Throws `ended` at the limits of the call, and `timeout` when the timeout of the source has passed.
  package func check() throws(KeyFailure) {
    do throws(BusFailure) {
      try bus.check()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// The same limits for D-Bus calls.
  var bus: BusLimits { BusLimits(call, time, endBy: endBy) }
}

/// The key sources that timed out recently, which are skipped for one minute.
package final class KeySourceBackoff: Sendable {
  /// The duration of the back-off, in nanoseconds.
  private static let durationNanoseconds: UInt64 = 60_000_000_000

  private let time: any TimeSource
  /// The monotonic time at which the back-off of each source ends, in nanoseconds.
  private let backoffEnds = SpinLock(SmallDictionary<KeySource, UInt64>())

  /// Creates a back-off without sources.
  package init(_ time: any TimeSource) {
    self.time = time
  }

  /// Calls a source, unless it timed out recently.
  ///
  /// - Throws: The failure of the source; `timeout` without calling it during the back-off.
  package func withBackoff<Value>(
    _ source: KeySource, _ body: () throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let now = time.monotonicNanoseconds
    guard backoffEnds.withLock({ $0[source] ?? 0 }) <= now else {
      throw .refused(
        .timeout, "it did not respond recently and is not called again for up to 1 minute")
    }
    do throws(KeyFailure) {
      return try body()
    } catch {
      if case .refused(.timeout, _) = error {
        let end = time.monotonicNanoseconds.adding(KeySourceBackoff.durationNanoseconds)
        backoffEnds.withLock { $0[source] = end }
      }
      throw error
    }
  }
}

/// The reason for which a key source could not be used.
package enum KeyFailure: Error {
  /// The source is not available or rejected the request.
  case refused(KeyAttempt.Problem, String)
  /// The call was cancelled or ran out of resources; the state of the source is unknown.
  case ended(TesseraError)

  /// The source did not respond in time.
  package static let timeout = KeyFailure.refused(
    .timeout, "it did not respond within \(KeyLimits.timeoutMilliseconds / 1_000) seconds")
}

/// A key source.
///
/// Each is in its own file and independent of the others.
protocol KeyStorage: Sendable {
  /// The identifier of this source.
  var source: KeySource { get }

  /// Throws the reason for which the source could not store the key of a new store now.
  ///
  /// Changes nothing.
  func checkAvailability(within limits: KeyLimits) throws(KeyFailure)

  /// Stores a new key durably.
  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)

  /// Returns the key with a name.
  ///
  /// - Throws: `keyMissing` if the source has no such key.
  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial
}

/// The key that the application supplies (`store.key`).
///
/// It is never stored.
struct CallerKey: KeyStorage {
  let source = KeySource.caller
  private let given: StoreKey?

  /// Creates a source for the key of a configuration; nil for none.
  init(_ given: StoreKey?) {
    self.given = given
  }

  /// Returns the key and its name in the store.
  ///
  /// - Throws: `keyMissing` if the application supplied no key.
  func material() throws(KeyFailure) -> (name: String, key: KeyMaterial) {
    guard let given else { throw .refused(.keyMissing, "store.key is missing") }
    guard let key = given.material() else {
      throw .refused(.keyMissing, "the callback of the application returned no key")
    }
    return (CallerKey.name(of: key), key)
  }

  func checkAvailability(within limits: KeyLimits) throws(KeyFailure) {
    _ = try material()
  }

  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)
  {}

  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    let (found, key) = try material()
    guard found == name else {
      throw .refused(
        .otherKey, "the store is encrypted with the key \(name), but store.key is \(found)")
    }
    return key
  }

  /// Returns a name that identifies the key without disclosing it: a truncated hash.
  static func name(of key: KeyMaterial) -> String {
    var hash = SHA256Hash()
    hash.update("tessera store key\n")
    key.withBytes { hash.update($0) }
    return Hexadecimal.text(hash.finish().prefix(16))
  }
}

/// Keys in the user keyring of the kernel, which is in memory only and is lost at a reboot.
///
/// This is the user keyring, because the persistent one expires three days after its last use. No call blocks.
struct KernelKeyring: KeyStorage {
  let source = KeySource.kernelKeyring

  func checkAvailability(within limits: KeyLimits) throws(KeyFailure) {
    try limits.check()
    do throws(KeyFailure) {
      _ = try key(named: "", within: limits)
    } catch {
      // The keyring was searched, so it can be used.
      if case .refused(.keyMissing, _) = error { return }
      throw error
    }
  }

  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)
  {
    try limits.check()
    let code = key.withBytes { bytes in
      ctessera_keyring_store(KernelKeyring.label(name), bytes.baseAddress, bytes.count)
    }
    if code != 0 { throw KernelKeyring.failure(code) }
  }

  /// Returns the key.
  ///
  /// Ignores the limits, because the kernel returns immediately: a cached token is returned even after the deadline.
  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    var bytes = [UInt8](repeating: 0, count: StoreKey.byteCount)
    defer { bytes.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    let code = bytes.withUnsafeMutableBytes { memory in
      ctessera_keyring_read(KernelKeyring.label(name), memory.baseAddress, memory.count)
    }
    if code != 0 { throw KernelKeyring.failure(code) }
    return KeyMaterial(bytes)
  }

  private static func label(_ name: String) -> String { "tessera:\(name)" }

  private static func failure(_ code: Int32) -> KeyFailure {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOKEY, EKEYREVOKED, EKEYEXPIRED:
      .refused(.keyMissing, "the key does not exist: \(reason)")
    case EDQUOT, ENOMEM: .refused(.full, "it is full: \(reason)")
    // The errors of a seccomp filter in a container, and of a kernel without keyrings.
    case EPERM, ENOSYS, EACCES: .refused(.blocked, "the system denies access: \(reason)")
    default: .refused(.failed, reason)
    }
  }
}
