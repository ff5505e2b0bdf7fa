// SPDX-License-Identifier: MIT
// Who is writing a cache file in place just now; found by looking, without taking part.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A living program of another library that holds the lock of a cache.
///
/// Readers wait for it before they believe that a file is damaged. They take no lock of the kernel for that, not even for a
/// moment: it would turn away whoever tries to lock just then.
enum PeerWriter {
  /// The process that holds the lock at a path; nil if none does, or none that is known to be alive.
  ///
  /// Tessera's own holders are none: what they write is whole at every moment.
  static func process(holding path: String) -> Int32? {
    let descriptor = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG),
      status.st_uid == geteuid()
    else { return nil }
    switch PeerLockMark(of: descriptor) {
    case .own: return nil
    case .peer(let number):
      let holder = PeerLockAge.Holder.process(number)
      let isThere = holder != .gone && !PeerLockFile.isLeftOver(holder, number, status)
      return isThere ? number : nil
    // Java's holder writes nothing; the kernel knows it.
    case .none: return FileLock.description.conflict(descriptor, 0, 0)?.process
    }
  }
}
