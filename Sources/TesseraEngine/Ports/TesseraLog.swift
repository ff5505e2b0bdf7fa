// SPDX-License-Identifier: MIT
// The log for developers. It contains no secrets.

/// The destination of log messages.
///
/// Messages are written on the thread of the call. They contain no token, key, code or assertion at any level.
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
  private let sink: (@Sendable (Level, String) -> Void)?

  /// Creates a log that passes each message up to a level to a function.
  public init(level: Level = .information, sink: @escaping @Sendable (Level, String) -> Void) {
    self.level = level
    self.sink = sink
  }

  private init() {
    level = .error
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
