// SPDX-License-Identifier: MIT
// Keys in private files, outside of the store directories.

import CLibrary
import TesseraEngine

/// Keys in files of mode 0600, one per key, in a directory of mode 0700.
///
/// An attacker with access to the whole disk can read both key and store. The separation protects copies of the store directory
/// alone, such as a backup, an image or a bug report.
struct KeyFile: KeyStorage {
  let source = KeySource.keyFile
  private let configuredDirectory: String?
  private let storeDirectory: String?

  /// Creates a source for a directory.
  ///
  /// A directory inside the store directory is not used for new keys.
  ///
  /// - Parameter directory: The directory of the key files; nil if the environment does not define one.
  init(directory: String?, storeDirectory: String?) {
    configuredDirectory = directory
    self.storeDirectory = storeDirectory
  }

  /// The default directory of this user's key files; nil if the environment does not define one.
  static var defaultDirectory: String? {
    // A key in the store directory would not be used.
    EnvironmentPath.userDirectory(
      "XDG_STATE_HOME", inHome: ".local/state", stateSuffix: "-keys"
    ).map { "\($0)/keys" }
  }

  func checkAvailability(within limits: KeyLimits) throws(KeyFailure) {
    try limits.check()
    let directory = try usableDirectory()
    try KeyFile.convertingErrors { () throws(FileError) in try KeyFile.check(directory) }
  }

  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)
  {
    try limits.check()
    let directory = try usableDirectory()
    try KeyFile.convertingErrors { () throws(FileError) in
      try PrivateDirectory.make(directory)
      try KeyFile.check(directory)
      try KeyFile.store(key, to: KeyFile.path(directory, name), in: directory)
    }
  }

  /// Returns the key.
  ///
  /// Ignores the limits, because reading a file does not wait: a cached token is returned even after the deadline.
  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    guard KeyFile.isValidName(name) else {
      throw .refused(.keyMissing, "the name in the store is not valid")
    }
    let directory = try directory()
    return try KeyFile.convertingErrors { () throws(FileError) in
      try KeyFile.check(directory)
      return try KeyFile.load(KeyFile.path(directory, name))
    }
  }
}

extension KeyFile {
  private func directory() throws(KeyFailure) -> String {
    guard let configuredDirectory else {
      throw .refused(.failed, "this user has no home directory, and XDG_STATE_HOME is not set")
    }
    return configuredDirectory
  }

  /// Returns the directory, unless it is in the store directory.
  ///
  /// A copy of the store directory would otherwise contain the key.
  private func usableDirectory() throws(KeyFailure) -> String {
    let directory = try directory()
    guard let storeDirectory, let store = FileRules.resolved(storeDirectory),
      let keys = FileRules.resolved(directory)
    else { return directory }
    guard keys != store, !keys.hasPrefix(store == "/" ? "/" : store + "/") else {
      throw .refused(.unsafe, "\(directory) is inside the directory of the store")
    }
    return directory
  }

  private static func path(_ directory: String, _ name: String) -> String {
    "\(directory)/\(name).key"
  }

  /// Whether a name is valid.
  ///
  /// It is read from the store, and must not contain a path.
  private static func isValidName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  private static func check(_ directory: String) throws(FileError) {
    try FileRules.check(directory, kind: mode_t(S_IFDIR), tightens: true)
    try FileRules.checkParents(of: directory)
  }

  private static func store(
    _ key: KeyMaterial, to path: String, in directory: String
  ) throws(FileError) {
    let descriptor = openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw .failed(verb: "create", path: path, code: errno) }
    defer { close(descriptor) }
    let count = key.withBytes { bytes in
      write(descriptor, bytes.baseAddress, bytes.count)
    }
    let isWritten = count == key.count && fsync(descriptor) == 0
    // A short write means that the disk filled up.
    let failure = count >= 0 && count < key.count ? ENOSPC : errno
    let code = isWritten ? PrivateDirectory.sync(directory) : failure
    guard code == 0 else {
      unlink(path)
      throw .failed(verb: "write", path: path, code: code)
    }
  }

  private static func load(_ path: String) throws(FileError) -> KeyMaterial {
    try FileRules.check(path, kind: mode_t(S_IFREG), tightens: true)
    let descriptor = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failed(verb: "open", path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .failed(verb: "examine", path: path, code: errno)
    }
    // Check the opened file again: the path may refer to another file since the first check.
    if let reason = FileRules.violation(to: status, kind: mode_t(S_IFREG)) {
      throw .unsafe(path: path, reason: reason)
    }
    var bytes = [UInt8](repeating: 0, count: StoreKey.byteCount + 1)
    defer { bytes.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    let count = read(descriptor, &bytes, bytes.count)
    guard count == StoreKey.byteCount else {
      throw .unsafe(path: path, reason: "is not a key of \(StoreKey.byteCount) bytes")
    }
    return KeyMaterial(Array(bytes.prefix(count)))
  }

  private static func convertingErrors<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw KeyFailure(error)
    }
  }
}

extension KeyFailure {
  /// Converts a file error to a failure of the key source.
  init(_ problem: FileError) {
    switch problem {
    case .unsafe(let path, let reason): self = .refused(.unsafe, "\(path) \(reason)")
    // The key may still exist, so it must not be reported as missing.
    case .failed(_, let path, let code) where TesseraError.isDescriptorLimit(code):
      self = .ended(.tooManyFiles(path))
    case .failed(_, let path, ENOMEM):
      self = .ended(
        TesseraError(
          .retryLater, .storeBusy,
          "\(path) cannot be used: the process is out of memory. Free memory, and try again."))
    case .failed(let verb, let path, let code):
      let reason = "could not \(verb) \(path): \(String(cString: strerror(code)))"
      self =
        switch code {
        case ENOENT: .refused(.keyMissing, reason)
        case ENOSPC, EDQUOT: .refused(.full, reason)
        case EACCES, EPERM, EROFS: .refused(.blocked, reason)
        default: .refused(.failed, reason)
        }
    }
  }
}
