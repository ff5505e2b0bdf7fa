// SPDX-License-Identifier: MIT
// The log: lines for a developer, without secrets, to whoever asked for them.

/// How much a line of the log matters.
public enum LogLevel: Int32, Sendable, Comparable, CaseIterable {
  /// A call failed.
  case error = 1
  /// A call succeeded, but something wants attention.
  case warning = 2
  /// A decision that explains where a token came from.
  case information = 3
  /// A step on the way.
  case detail = 4

  /// Whether one level matters more than another.
  public static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Where the log goes.
///
/// Lines are written on the thread of the call that logs. They hold no token, key, code or assertion, at any level.
public struct Log: Sendable {
  private let level: LogLevel
  private let sink: (@Sendable (LogLevel, String) -> Void)?

  /// A log that hands each line, up to a level, to a function.
  public init(level: LogLevel = .information, sink: @escaping @Sendable (LogLevel, String) -> Void)
  {
    self.level = level
    self.sink = sink
  }

  private init() {
    level = .error
    sink = nil
  }

  /// No log at all.
  public static let silent = Log()

  /// Writes a line; its text is made only if somebody wants it.
  package func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard let sink, level <= self.level else { return }
    sink(level, message())
  }
}
