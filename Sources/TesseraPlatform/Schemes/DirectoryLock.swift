// SPDX-License-Identifier: MIT
// A lock among processes with this library for changes to a directory.

import CLibrary

/// A lock on a directory, without a lock file.
///
/// Other programs do not use it.
enum DirectoryLock {
  private static let pauseMilliseconds: Int32 = 20
  /// The number of attempts, which take five seconds.
  ///
  /// A process that holds the lock longer was probably stopped.
  private static let attempts = 250

  /// Runs a function while no other thread or process holds the lock of the directory.
  ///
  /// After all attempts, or if the directory cannot be opened, the function runs without the lock.
  static func withLock<Value, Failure: Error>(
    in folder: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let descriptor = openFile(folder, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    for _ in 0..<attempts where flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      poll(nil, 0, pauseMilliseconds)
    }
    return try body()
  }
}
