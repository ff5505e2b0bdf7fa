// SPDX-License-Identifier: MIT
// Whether the host has closed the descriptors of the process, and their numbers may lead to files of its own.

import CTesseraSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The descriptors of a process since some moment, as long as the host has not closed all of them (`closefrom(3)`).
///
/// It holds one end of a pipe. No other file of the system is that one, so another one under its number says that all
/// other numbers may lead elsewhere as well: to the host's files, or to the store, opened anew.
final class OpenDescriptors: Sendable {
  private let descriptor: Int32
  private let identity: FileIdentity?
  private let hasEnded = Atomic(false)

  /// The descriptors from now on; without a free one they are never known to be closed.
  init() {
    var pair: [Int32] = [-1, -1]
    guard ctessera_wake_pipe(&pair) == 0 else {
      descriptor = -1
      identity = nil
      return
    }
    close(pair[1])
    descriptor = pair[0]
    identity = FileIdentity(of: pair[0])
  }

  deinit {
    end()
  }

  /// Asks no more, and closes its own.
  func end() {
    guard identity != nil, areOpen, !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    close(descriptor)
  }

  /// Whether they still lead to what was opened.
  var areOpen: Bool {
    guard let identity else { return true }
    return !hasEnded.load(ordering: .acquiring) && FileIdentity(of: descriptor) == identity
  }
}

extension OpenDescriptors {
  /// Whether one more file can be opened now; the dynamic linker does not say that it was this that failed.
  static var isOneLeft: Bool {
    let descriptor = openFile("/", O_RDONLY)
    guard descriptor >= 0 else { return !StoreLocation.noDescriptorLeft.contains(errno) }
    close(descriptor)
    return true
  }
}
