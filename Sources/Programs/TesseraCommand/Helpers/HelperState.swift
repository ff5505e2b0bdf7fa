// SPDX-License-Identifier: MIT
// The state that concurrent helpers share: the lock of a sign-in, its last failure, refused tokens, and credentials that
// services issued.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The state of an entry, in files that only this user can read.
///
/// Only those in the directory of the login session contain secrets. That directory is in memory.
struct HelperState {
  /// The seconds for which a failure is reported again, without another sign-in.
  private static let lifetime = 60.0

  private let parent: String
  private let directory: String
  /// Whether the directory is that of the login session.
  private let isVolatile: Bool
  /// The application, the account and the service.
  private let identity: String
  /// The name of the account's files.
  private let accountKey: String
  /// The name of the entry's files.
  private let entryKey: String

  /// Creates the state of an entry.
  ///
  /// Nothing is written: a cached token needs no directory.
  init(_ entry: HelperEntry, _ environment: Environment) throws(TesseraError) {
    // Without a login session, the variable may be inherited from another user.
    let runtime = environment.runtimeDirectory.flatMap { HelperState.isOwn($0, 0o022) ? $0 : nil }
    guard let parent = runtime ?? environment.home.map({ "\($0)/.cache" }) else {
      throw HelperState.failure(
        "No directory was found for the state of the helpers. Set XDG_RUNTIME_DIR or HOME.")
    }
    let registration = entry.registration
    let account = [
      entry.group, registration.clientID, registration.tenant, registration.authority,
      entry.username,
    ].map { $0 ?? "" }.joined(separator: "\n")
    directory = "\(parent)/tessera"
    accountKey = HelperState.name(account)
    identity = [
      account, entry.tool.rawValue, entry.url, entry.scopes.joined(separator: " "),
      entry.token.rawValue, entry.endpoint ?? "",
    ].joined(separator: "\n")
    entryKey = HelperState.name(identity)
    isVolatile = runtime != nil
    self.parent = parent
  }

  /// Creates the directory.
  private func prepare() throws(TesseraError) {
    _ = mkdir(parent, 0o700)
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
      throw HelperState.failure(
        "\(directory) cannot be created: \(String(cString: strerror(errno))). Set XDG_RUNTIME_DIR.")
    }
    guard HelperState.isOwn(directory, 0o077) else {
      throw HelperState.failure(
        "\(directory) must be a directory of this user with the mode 700. Correct or remove it.")
    }
  }

  /// Whether a path is a directory of this user without certain permissions.
  private static func isOwn(_ path: String, _ permissions: mode_t) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & permissions == 0
  }

  /// Runs a body while no other process signs in with the same account.
  ///
  /// - Throws: `cancelled` if the cancellation is triggered before.
  func withLock<Value>(
    _ cancellation: Cancellation, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try prepare()
    let path = "\(directory)/\(accountKey).lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw HelperState.failure("\(path) cannot be opened: \(String(cString: strerror(errno))).")
    }
    // The lock is released when the descriptor is closed, also by the end of the process.
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw HelperState.failure("\(path) cannot be locked: \(String(cString: strerror(errno))).")
      }
      if cancellation.isCancelled {
        throw TesseraError(.cancelled, .cancelled, "The program that asked for the token ended.")
      }
      usleep(20_000)
    }
    return try body()
  }

  /// The message of a sign-in that failed within the last minute.
  var recentFailure: String? { isRecent("failure") ? text("failure")?.plain : nil }

  /// Records the failure of a sign-in.
  func recordFailure(_ message: String) { put("failure", String(message.plain.prefix(1000))) }

  /// Returns the error of an exchange that failed: within the last minute, or since a time if it can succeed later.
  func exchangeError(since start: Date) -> TesseraError? {
    guard isRecent("exchange"), let text = text("exchange"), let time = modified("exchange") else {
      return nil
    }
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let message = String(parts[1]).plain
    guard parts[0] == TesseraError.Code.requestRejected.rawValue else {
      return time < start ? nil : TesseraError(.retryLater, .networkFailed, message)
    }
    return TesseraError(.fixConfiguration, .requestRejected, message)
  }

  /// Records the error of an exchange.
  func recordExchangeError(_ error: TesseraError) {
    put("exchange", "\(error.code.rawValue)\n\(error.message.plain.prefix(1000))")
  }

  /// Removes the record of a failure.
  func removeFailure() { unlink(path("failure")) }

  /// The identifier of the account with the user name of the entry; nil if it is not known.
  var account: String? { text("account").flatMap { $0.isEmpty ? nil : $0 } }

  /// Records the identifier of the account with the user name of the entry.
  func recordAccount(_ identifier: String) { put("account", identifier) }

  /// Records that the service refused the token.
  func recordRefusal() { put("refused", "") }

  /// Whether the token must be renewed because the service refused it, which is at most once a minute.
  ///
  /// The record is removed, so that one process renews the token.
  func takeRefusal() -> Bool {
    guard HelperState.isOwn(directory, 0o077), !isRecent("renewed"), unlink(path("refused")) == 0
    else { return false }
    put("renewed", "")
    return true
  }

  /// Returns a stored credential that a service issued for an account; nil if it expires within a time.
  func credential(of account: String, validFor seconds: Double) -> IssuedCredential? {
    guard isVolatile, let text = text("credential") else { return nil }
    let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let expiry = Double(parts[0]), parts[2] == "\(account)\n\(identity)"
    else { return nil }
    let credential = IssuedCredential(
      text: String(parts[1]), expiresAt: Date(timeIntervalSince1970: expiry))
    return credential.expiresAt.timeIntervalSinceNow > seconds ? credential : nil
  }

  /// Stores a credential, unless the user has no directory for files of the login session.
  func store(_ credential: IssuedCredential, of account: String) {
    guard isVolatile, !credential.text.utf8.contains(UInt8(ascii: "\n")) else { return }
    let expiry = credential.expiresAt.secondsSince1970
    put("credential", "\(expiry)\n\(credential.text)\n\(account)\n\(identity)")
  }

  /// Removes the stored credential, and the record of an error.
  func removeCredential() {
    guard HelperState.isOwn(directory, 0o077) else { return }
    unlink(path("credential"))
    unlink(path("exchange"))
  }

  /// Replaces the file with a token that another program reads.
  ///
  /// - Returns: Its path.
  /// - Throws: `invalidConfiguration` if the file cannot be written, or would be on a disk.
  func writeToken(_ token: String) throws(TesseraError) -> String {
    guard isVolatile else {
      throw HelperState.failure(
        "The token is stored in the directory of the login session only. Set XDG_RUNTIME_DIR.")
    }
    try prepare()
    let reason = put("token", token)
    guard reason == 0 else {
      throw HelperState.failure(
        "\(path("token")) cannot be written: \(String(cString: strerror(reason))).")
    }
    return path("token")
  }

  /// Reads a record; nil if it does not exist, or if other users can read it.
  private func text(_ kind: String) -> String? {
    guard HelperState.isOwn(directory, 0o077) else { return nil }
    let descriptor = open(path(kind), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else { return nil }
    return DescriptorInput.bytes(of: descriptor, maximum: 1 << 16)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func path(_ kind: String) -> String { "\(directory)/\(entryKey).\(kind)" }

  /// Whether a record was written within the last minute.
  private func isRecent(_ kind: String) -> Bool {
    modified(kind).map { (0..<HelperState.lifetime).contains(-$0.timeIntervalSinceNow) } ?? false
  }

  /// Returns the time at which a record was written; nil if there is none.
  private func modified(_ kind: String) -> Date? {
    var status = stat()
    guard lstat(path(kind), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.modified
  }

  /// Replaces a record.
  ///
  /// - Returns: The number of the error if it cannot be written; otherwise 0.
  @discardableResult
  private func put(_ kind: String, _ text: String) -> Int32 {
    guard (try? prepare()) != nil else { return EACCES }
    let temporary = "\(path(kind)).\(getpid())"
    // A process that was killed may have left a file with the same name.
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    let isWritten = sendText(text, to: descriptor)
    var reason = errno
    close(descriptor)
    if isWritten, rename(temporary, path(kind)) == 0 { return 0 }
    if isWritten { reason = errno }
    unlink(temporary)
    return reason
  }

  /// Returns a file name for a text: its FNV-1a hash.
  private static func name(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return "helper-" + String(hash, radix: 16)
  }

  private static func failure(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}

extension stat {
  /// The time of the last change of the content.
  fileprivate var modified: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }
}
