// SPDX-License-Identifier: MIT
// One program with this library at a time that changes the files of a folder.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock on a folder, which leaves nothing behind.
///
/// Programs of others do not ask for it.
enum FolderLock {
  private static let pauseMilliseconds: Int32 = 20
  /// Five seconds: whoever holds it longer was stopped.
  private static let attempts = 250

  /// Does something while no other thread or process does so in the same folder; in the end also without the lock.
  static func held<Value, Failure: Error>(
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
