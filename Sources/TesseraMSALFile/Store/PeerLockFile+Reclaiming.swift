// SPDX-License-Identifier: MIT
// The removal of lock files of dead Tessera processes.

import CLibrary
import TesseraPlatform

extension PeerLockFile {
  /// Removes the lock file at a path if it belongs to a dead Tessera process.
  static func reclaim(at path: String) {
    guard let file = try? PeerLockFile(existing: path) else { return }
    file.reclaim()
    file.end()
  }

  /// Removes the file if it belongs to a dead Tessera process.
  ///
  /// Never waits. The file is removed while both kernel locks are held, and only if it is still the file at the path. A
  /// running holder therefore keeps it, and only one of several processes removes it. Lock files of other libraries are kept.
  func reclaim() {
    guard isReclaimable else { return }
    do throws(FileError) {
      guard try lock() == nil else { return }
    } catch {
      return
    }
    // A peer may have taken the file over in the meantime.
    guard isReclaimable else { return }
    // Record this process as the owner, so that no other process considers the holder of the kernel locks dead.
    writeOwner()
    remove()
  }

  /// Whether Tessera created the file and no running process is known to hold it.
  private var isReclaimable: Bool {
    guard isFromTessera else { return false }
    if case .own(let process, let namespace) = owner, namespace == ProcessIdentity.namespace {
      return process.hasEnded
    }
    // The process ID cannot be checked here. The caller relies on the kernel locks.
    return true
  }
}
