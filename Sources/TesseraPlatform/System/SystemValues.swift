// SPDX-License-Identifier: MIT
// Values of the system: random bytes, the bounds of the stack and paths of the environment.

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
