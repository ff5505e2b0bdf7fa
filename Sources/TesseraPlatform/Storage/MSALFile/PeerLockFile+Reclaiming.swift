// SPDX-License-Identifier: MIT
// Removal of lock files that dead processes of Tessera's have left.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension PeerLockFile {
  /// Removes the lock file at a path if a process of Tessera's left it and has ended.
  static func reclaim(at path: String) {
    guard let file = try? PeerLockFile(existing: path) else { return }
    file.reclaim()
    file.end()
  }

  /// Removes the file if a process of Tessera's left it and has ended.
  ///
  /// Never waits. The file is removed with both of its kernel locks held, and only if it is still the one at the path. A
  /// holder therefore keeps it, and of several processes one removes it. Lock files of other libraries stay.
  func reclaim() {
    guard isReclaimable else { return }
    do throws(FileError) {
      guard try lock() == nil else { return }
    } catch {
      return
    }
    // A peer may have taken the file over in the meantime.
    guard isReclaimable else { return }
    // Another process that finds the kernel locks held must not take their holder for dead.
    sign()
    remove()
  }

  /// Whether Tessera created the file, and no living process is known to hold it.
  private var isReclaimable: Bool {
    guard isOwn else { return false }
    if case .own(let process, let namespace) = mark, namespace == ProcessIdentity.namespace {
      return process.hasEnded
    }
    // The kernel locks decide.
    return true
  }
}
