// SPDX-License-Identifier: MIT
// For how long a lock file is believed that no lock of the kernel stands behind; decided without looking.

/// What a lock file that somebody left, or still holds, says by its age.
struct PeerLockStaleness: Sendable {
  /// The process that it names.
  enum Holder: Sendable, Equatable {
    /// None, or none that is alive: its number may mean nothing here.
    case gone
    /// One that is alive, and has been for so many nanoseconds; nil where the system does not tell.
    case living(nanoseconds: UInt64?)
  }

  /// For so long a file is believed whose process is not alive here.
  static let graceNanoseconds: UInt64 = 10_000_000_000
  /// For so long any file is believed: nobody holds the lock while a server or a person is asked.
  static let longest: UInt64 = 300_000_000_000
  /// By so much the clocks of files and of processes may differ.
  static let clockTolerance: UInt64 = 2_000_000_000

  /// Whether nobody holds the lock any more.
  ///
  /// - Parameters:
  ///   - age: since the file was written, in nanoseconds; of one from the future, how far that is.
  ///   - isMine: whether it names this very process: what it does itself takes less than the grace.
  static func isStale(_ holder: Holder, age: UInt64, isMine: Bool = false) -> Bool {
    switch holder {
    case .gone: return age > graceNanoseconds
    case .living where isMine: return age > graceNanoseconds
    case .living(let span):
      // A process that began after the file was written only has the number of the one that wrote it.
      let isOther = span.map { age > clockTolerance && $0 < age - clockTolerance } ?? false
      return age > (isOther ? graceNanoseconds : longest)
    }
  }
}
