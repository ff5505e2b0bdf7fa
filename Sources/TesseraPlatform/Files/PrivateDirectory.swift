// SPDX-License-Identifier: MIT
// Creation of a directory for one user, with missing parent directories, durable even after a power failure.

import CLibrary
import CTesseraSystem

/// A directory for secrets of one user.
enum PrivateDirectory {
  /// Creates a directory and its missing parents, with mode 0700 from the start, independent of the umask.
  static func make(_ directory: String) throws(FileError) {
    // The usual case: the directory exists.
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
        throw .failed(verb: "create the directory", path: path, code: problem)
      }
    }
  }

  /// Creates one directory with mode 0700, independent of the umask.
  ///
  /// - Returns: 0, or the `errno` value of the failure.
  static func create(_ path: String) -> Int32 {
    ctessera_make_directory(path, 0o700)
  }

  /// Syncs the entries of a directory to the disk.
  ///
  /// - Returns: 0, or the `errno` value of the failure.
  @discardableResult
  static func sync(_ directory: String) -> Int32 {
    let descriptor = openFile(directory, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }
}
