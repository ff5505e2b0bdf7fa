// SPDX-License-Identifier: MIT
// A directory of a test's own, gone when the test is over.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new, private directory below the system's temporary one.
final class TemporaryDirectory: Sendable {
  /// Where it lies.
  let path: String

  /// Makes it.
  init() throws {
    var template = Array("/tmp/tessera-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress) }
    guard let made else { throw SystemFailure(code: errno) }
    path = String(cString: made)
  }

  deinit {
    // Depth first; symbolic links are removed, not followed.
    nftw(path, { path, _, _, _ in path.map { remove($0) } ?? 0 }, 16, FTW_DEPTH | FTW_PHYS)
  }

  /// What a call of the system said.
  struct SystemFailure: Error {
    let code: Int32
  }
}
