// SPDX-License-Identifier: MIT
// The log for developers. It contains no secrets.

/// The severity of a log message.
public enum LogLevel: Int32, Sendable, Comparable, CaseIterable {
  /// A call failed.
  case error = 1
  /// A call succeeded with a problem.
  case warning = 2
  /// A decision that explains the origin of a token.
  case information = 3
  /// An intermediate step.
  case detail = 4

  /// Whether a level is more severe than another.
  public static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The destination of log messages.
///
/// Messages are written on the thread of the call. They contain no token, key, code or assertion at any level.
public struct Log: Sendable {
  private let level: LogLevel
  private let sink: (@Sendable (LogLevel, String) -> Void)?

  /// Creates a log that passes each message up to a level to a function.
  public init(level: LogLevel = .information, sink: @escaping @Sendable (LogLevel, String) -> Void)
  {
    self.level = level
    self.sink = sink
  }

  private init() {
    level = .error
    sink = nil
  }

  /// A log without output.
  public static let silent = Log()

  /// Writes a message.
  ///
  /// Its text is created only if the level is enabled.
  package func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard let sink, level <= self.level else { return }
    sink(level, message())
  }
}
