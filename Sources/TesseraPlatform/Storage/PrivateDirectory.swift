// SPDX-License-Identifier: MIT
// A directory made for one user only, with what is missing above it, so that a loss of power does not take it back.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A directory for one user's secrets.
enum PrivateDirectory {
  /// Makes the directory and what is missing above it, private from the first moment, whatever the umask.
  static func make(_ directory: String) throws(FileProblem) {
    // Nearly always it is there.
    if directory.hasPrefix("/"), access(directory, F_OK) == 0 { return }
    var path = ""
    for part in directory.split(separator: "/") {
      let parent = path
      path += "/" + part
      let problem = create(path)
      if problem == 0 {
        sync(parent.isEmpty ? "/" : parent)
      } else if problem != EEXIST, access(path, F_OK) != 0 {
        // Existing directories may fail with EACCES or EROFS instead of EEXIST.
        throw .failed(verb: "make the directory", path: path, code: problem)
      }
    }
  }

  /// Creates one directory with mode 0700, whatever the umask.
  ///
  /// - Returns: 0, or the reason as `errno` has it.
  static func create(_ path: String) -> Int32 {
    ctessera_make_directory(path, 0o700)
  }

  /// Brings the names in a directory to the disk.
  ///
  /// - Returns: 0, or why the system could not (`errno`).
  @discardableResult
  static func sync(_ directory: String) -> Int32 {
    let descriptor = openFile(directory, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }
}
