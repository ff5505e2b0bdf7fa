// SPDX-License-Identifier: MIT
// Detection of a host application that has closed all descriptors of the process.

import CLibrary
import CTesseraSystem
import Synchronization
import TesseraEngine

/// A guard for descriptors opened later, which detects that the host application has closed all of them
/// (`closefrom(3)`).
///
/// It keeps one end of a pipe open, which has a unique identity. If its descriptor refers to another file, the other
/// descriptors may do so as well. They may refer to files of the host application, or to reopened files of the store.
final class DescriptorGuard: Sendable {
  private let descriptor: Int32
  private let identity: FileIdentity?
  private let hasEnded = Atomic(false)

  /// Creates a guard.
  ///
  /// If no descriptor is free, closing is never detected.
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

  /// Ends the guard and closes its own descriptor.
  func end() {
    guard identity != nil, areOpen, !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    close(descriptor)
  }

  /// Whether the descriptors still refer to the opened files.
  var areOpen: Bool {
    guard let identity else { return true }
    return !hasEnded.load(ordering: .acquiring) && FileIdentity(of: descriptor) == identity
  }
}

extension DescriptorGuard {
  /// Whether one more file can be opened.
  ///
  /// The dynamic linker does not report this cause of a failure.
  static var canOpenFile: Bool {
    let descriptor = openFile("/", O_RDONLY)
    guard descriptor >= 0 else { return !TesseraError.isDescriptorLimit(errno) }
    close(descriptor)
    return true
  }
}
