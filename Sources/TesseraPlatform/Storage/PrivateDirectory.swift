// SPDX-License-Identifier: MIT
// A directory made for one user only, with what is missing above it, so that a loss of power does not take it back.

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
    var problem: Int32 = 0
    for part in directory.split(separator: "/") {
      let parent = path
      path += "/" + part
      // Parents that exist may refuse with EACCES or EROFS instead of EEXIST; only the last one has to be there.
      if mkdir(path, 0o700) == 0 {
        problem = 0
        sync(parent.isEmpty ? "/" : parent)
      } else {
        problem = errno == EEXIST ? 0 : errno
      }
    }
    if problem != 0 {
      throw .failed(verb: "make the directory", path: directory, code: problem)
    }
  }

  /// Brings the names in a directory to the disk.
  ///
  /// - Returns: 0, or why the system could not (`errno`).
  @discardableResult
  static func sync(_ directory: String) -> Int32 {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }
}
