// SPDX-License-Identifier: MIT
// Values of the system: random bytes, paths of the environment, file descriptors, and waits for them.

import CLibrary
import CTesseraSystem
package import TesseraEngine

/// The system's random number generator.
package struct SystemRandomness: Randomness {
  /// The maximum number of bytes of one getentropy(3) call.
  private static let maximumRequestSize = 256

  /// Creates the generator.
  package init() {}

  /// Returns random bytes suitable for keys and nonces.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      bytes += singleRequest(min(count - bytes.count, SystemRandomness.maximumRequestSize))
    }
    return bytes
  }

  /// Returns random bytes from a single system call.
  private func singleRequest(_ count: Int) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      filled = getentropy(memory.baseAddress, count) == 0 ? count : 0
    }
    guard bytes.isEmpty else { return bytes }
    // A sandbox may not support getentropy(3). The Swift runtime has other sources.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

extension StackSpace {
  /// The remaining stack of the calling thread.
  ///
  /// Its limits are read once per thread.
  package static let system = StackSpace {
    let left = ctessera_stack_left()
    return left < 0 ? nil : left
  }
}

/// Access to environment variables with the path of a directory.
enum EnvironmentPath {
  /// Returns an environment variable; nil unless it is an absolute path in UTF-8.
  ///
  /// The XDG Base Directory Specification requires relative paths to be ignored.
  static func named(_ name: String) -> String? {
    guard let value = ctessera_environment(name), value.pointee == UInt8(ascii: "/") else {
      return nil
    }
    return String(validatingCString: value)
  }

  /// Returns a directory for files of this user; nil if the environment and the user database have none.
  ///
  /// A service of systemd without a home directory has `STATE_DIRECTORY`, which may list several directories.
  ///
  /// - Parameters:
  ///   - variable: The variable with the base directory of the XDG Base Directory Specification.
  ///   - path: The path of the base directory in a home directory.
  ///   - suffix: The end of the name in `STATE_DIRECTORY`.
  static func userDirectory(
    _ variable: String, inHome path: String, stateSuffix suffix: String = ""
  ) -> String? {
    if let base = named(variable) { return "\(base)/tessera" }
    if let home = named("HOME") { return "\(home)/\(path)/tessera" }
    if let state = named("STATE_DIRECTORY")?.split(separator: ":").first {
      return "\(state)/tessera\(suffix)"
    }
    return databaseHome.map { "\($0)/\(path)/tessera" }
  }

  /// The home directory in the user database.
  private static var databaseHome: String? {
    // Like the environment, it is not used by a process with more privileges than its user.
    guard !ctessera_is_elevated() else { return nil }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 1 << 14)
    guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let directory = entry.pw_dir, let path = String(validatingCString: directory)
    else { return nil }
    // Users without a home directory have one of these paths.
    return path.hasPrefix("/") && !["/", "/nonexistent"].contains(path) ? path : nil
  }
}

/// A dictionary of a few entries, which are searched one by one.
///
/// The keys need not be hashable. For a `Dictionary`, the runtime searches the conformances of all types for that of its
/// keys, which takes 30 µs at the start of a program.
struct SmallDictionary<Key, Value> {
  private var entries: [(key: Key, value: Value)] = []

  /// The values, in the order of their insertion.
  var values: [Value] { entries.map(\.value) }
}

extension SmallDictionary where Key: Equatable {
  subscript(key: Key) -> Value? {
    get { entries.first { $0.key == key }?.value }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { entries.append((key, newValue)) }
    }
  }
}

extension SmallDictionary: Sendable where Key: Sendable, Value: Sendable {}

/// Opens a file with `O_CLOEXEC`; never as standard input, output or error.
///
/// - Parameter mode: The mode of a file that this call creates, independent of the umask.
/// - Returns: A descriptor above 2, or -1 with the reason in `errno`.
package func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, mode: UInt32 = 0) -> Int32 {
  ctessera_open(path, flags, mode)
}

/// Opens a directory to list its entries, with a descriptor above 2; nil with the reason in `errno` on failure.
package func openDirectory(_ path: String) -> OpaquePointer? {
  ctessera_fill_standard_descriptors()
  return opendir(path)
}

extension TesseraError {
  /// The error for a call that needs a file descriptor if none is left.
  package static var noDescriptorLeft: TesseraError {
    TesseraError(
      .retryLater, .tooManyOpenFiles,
      "The process has too many open files: close files, or raise the limit (ulimit -n).")
  }

  /// Returns the error of a process without a free descriptor.
  ///
  /// The store itself is intact, so no refresh token is redeemed instead.
  package static func tooManyFiles(_ path: String) -> TesseraError {
    TesseraError(
      .retryLater, .storeBusy,
      "\(path) could not be opened: the process has too many open files. Close files, or raise the limit (ulimit -n)."
    )
  }

  /// Whether an `errno` value reports that the process or the machine has too many open files.
  static func isDescriptorLimit(_ code: Int32) -> Bool {
    code == EMFILE || code == ENFILE
  }

  /// Throws `tooManyOpenFiles` if a system call failed for lack of a descriptor.
  ///
  /// - Parameter code: The `errno` of the system call.
  static func checkDescriptors(_ code: Int32) throws(TesseraError) {
    if isDescriptorLimit(code) { throw .noDescriptorLeft }
  }
}

extension TesseraError.Cause {
  /// Returns a cause with an `errno` value and its description.
  package static func system(_ code: Int32) -> TesseraError.Cause {
    TesseraError.Cause(.system, Int64(code), String(cString: strerror(code)))
  }
}

/// A value protected by a lock, with waits for its changes.
///
/// `Mutex` has no condition variable.
final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    Monitor.initializeCondition(changed)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Changes the value and wakes all waiting threads.
  func change<Value>(_ body: (inout State) -> Value) -> Value {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Waits until a function returns a value; nil after the timeout.
  ///
  /// The function runs under the lock, at the start and after each change. It may change the value.
  func wait<Value>(nanoseconds: UInt64, until body: (inout State) -> Value?) -> Value? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let end = Monitor.now.adding(nanoseconds)
    while true {
      if let value = body(&state) { return value }
      let now = Monitor.now
      guard now < end else { return nil }
      sleep(from: now, to: end)
    }
  }
}

#if canImport(Darwin)
  extension Monitor {
    private static func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      pthread_cond_init(condition, nil)
    }

    private func sleep(from now: UInt64, to end: UInt64) {
      var span = timespec(nanoseconds: end - now)
      pthread_cond_timedwait_relative_np(changed, lock, &span)
    }
  }
#else
  extension Monitor {
    /// Initializes a condition variable on the monotonic clock, which is not affected by changes of the wall clock.
    private static func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    private func sleep(from now: UInt64, to end: UInt64) {
      var end = timespec(nanoseconds: end)
      pthread_cond_timedwait(changed, lock, &end)
    }
  }
#endif

extension Monitor {
  /// The current time on the clock of the condition variable, in nanoseconds.
  private static var now: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }
}

/// A descriptor with which another thread ends a poll.
package final class WakePipe: Sendable {
  /// The descriptor to poll.
  ///
  /// It is readable from ``wake()`` until ``reset()``.
  package let descriptor: Int32
  private let writeEnd: Int32

  /// Creates a pipe; nil if no descriptor is left.
  package init?() {
    var pair: [Int32] = [-1, -1]
    guard ctessera_wake_pipe(&pair) == 0 else { return nil }
    descriptor = pair[0]
    writeEnd = pair[1]
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Ends the current wait, and all later ones until ``reset()`` is called.
  package func wake() {
    _ = withUnsafeBytes(of: UInt8(1)) { write(writeEnd, $0.baseAddress, 1) }
  }

  /// Resets the pipe, so that later waits block again.
  package func reset() {
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }

  /// Waits until ``wake()`` is called or the timeout has passed.
  package func wait(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}

extension CallLimits {
  /// Returns the time until the limits, or the given time if that is shorter, in milliseconds.
  ///
  /// The time is rounded up, so that a poll does not return before the limits.
  package func pollMilliseconds(
    atMost nanoseconds: UInt64 = 1_000_000_000, _ time: any TimeSource
  ) -> Int32 {
    let span = min(nanosecondsLeft(time) ?? .max, nanoseconds)
    return Int32(clamping: span / 1_000_000 + (span % 1_000_000 == 0 ? 0 : 1))
  }

  /// Runs an operation that polls a pipe, which the cancellation makes readable.
  package func waking<Value, Failure: Error>(
    _ wake: WakePipe, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let cancellation else { return try body() }
    return try cancellation.waking(with: { wake.wake() }, body)
  }
}

/// A signal that the kernel sends to the thread that writes.
package struct BlockedSignal {
  private let number: Int32

  /// The signal of a write to a connection without a reader.
  static let brokenPipe = BlockedSignal(number: SIGPIPE)
  /// The signal of a write beyond the file size limit of the process.
  package static let fileSize = BlockedSignal(number: SIGXFSZ)

  /// Runs a function that may raise the signal on the calling thread.
  ///
  /// The signal is blocked and then discarded.
  ///
  /// The disposition of the signal, which belongs to the host application, is not changed.
  package func blocked<Value, Failure: Error>(
    during body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var saved = ctessera_blocked_signal()
    ctessera_signal_block(&saved, number)
    defer { ctessera_signal_restore(&saved) }
    return try body()
  }
}
