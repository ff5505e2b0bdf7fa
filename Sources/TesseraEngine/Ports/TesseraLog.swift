// SPDX-License-Identifier: MIT
// The log for developers. It contains no secrets.

import TesseraCache
import TesseraWire

/// The destination of log messages.
///
/// Messages are written on the thread of the call. They contain no token, key, code or assertion at any level. They
/// contain personal data only if the log is created with `includesPII`.
public struct TesseraLog: Sendable {
  /// The severity of a log message.
  public enum Level: Int32, Sendable, Comparable, CaseIterable {
    /// A call failed.
    case error = 1
    /// A call succeeded with a problem.
    case warning = 2
    /// A decision that explains the origin of a token.
    case information = 3
    /// An intermediate step.
    case detail = 4

    /// Whether a level is more severe than another.
    public static func < (left: Level, right: Level) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  private let level: Level
  private let includesPII: Bool
  private let sink: (@Sendable (Level, String) -> Void)?

  /// Creates a log that passes each message up to a level to a function.
  ///
  /// - Parameters:
  ///   - level: The most detailed level that is passed to the function.
  ///   - includesPII: Whether messages may contain personal data. Otherwise user names are masked as in MSAL for Apple,
  ///     paths are reduced to their last component, and errors to their code.
  ///   - sink: Receives the level and the text of each message.
  public init(
    level: Level = .information, includesPII: Bool = false,
    sink: @escaping @Sendable (Level, String) -> Void
  ) {
    self.level = level
    self.includesPII = includesPII
    self.sink = sink
  }

  private init() {
    level = .error
    includesPII = false
    sink = nil
  }

  /// A log without output.
  public static let silent = TesseraLog()

  /// Writes a message.
  ///
  /// Its text is created only if the level is enabled.
  package func write(_ level: Level, _ message: @autoclosure () -> String) {
    guard let sink, level <= self.level else { return }
    sink(level, message())
  }
}

extension TesseraLog {
  /// Returns a user name for a message; masked unless the log includes personal data.
  package func text(ofUser name: String?) -> String {
    guard includesPII, let name = name?.nonBlank else { return MaskedName(name).description }
    return name.plain(atMost: 255)
  }

  /// Returns a path for a message; only its last component unless the log includes personal data.
  package func text(ofPath path: String) -> String {
    guard !includesPII else { return path }
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns a path that the host application chose, for a message; a hash unless the log includes personal data.
  ///
  /// The name of such a file may be the name of a user.
  package func text(ofChosenPath path: String) -> String {
    includesPII ? path : "file \(MaskedName.digits(of: path.utf8))"
  }

  /// Returns an error for a message; only its code unless the log includes personal data.
  package func text(of error: TesseraError) -> String {
    includesPII ? error.description : error.code.rawValue
  }

  /// Returns the failed key sources for a message; without their reasons unless the log includes personal data.
  package func text(of attempts: [KeyAttempt]) -> String {
    guard !includesPII else { return attempts.text }
    return attempts.map { "\($0.source.displayName): \($0.problem.rawValue)" }.joined(
      separator: "; ")
  }
}
