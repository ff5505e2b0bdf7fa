// SPDX-License-Identifier: MIT
// The line at a terminal that shows that the command waits for the user.

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

/// A line on standard error with the remaining or the elapsed time, which is removed at the end.
///
/// A task could not update it while the call occupies all threads of the concurrency runtime.
final class WaitingIndicator {
  private let writeEnd: Int32
  private let thread: pthread_t

  /// Shows the line; nil if standard error is not a terminal.
  ///
  /// A line that cannot be replaced, because the terminal does not support it or the user types below it, has no time.
  ///
  /// - Parameters:
  ///   - end: The end of the remaining time; nil to show the elapsed time.
  ///   - isFixed: Whether the user can type.
  init?(until end: Date?, isFixed: Bool = false) {
    guard let terminal = Terminal(STDERR_FILENO) else { return nil }
    guard terminal.canReplaceLine, !isFixed else {
      Output.printError("Waiting for the sign-in. Ctrl-C cancels.")
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let readEnd = ends.first, let writeEnd = ends.last else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let line = Line(end: end, descriptor: readEnd, columns: terminal.columns)
    guard let thread = WaitingIndicator.start(line) else {
      close(readEnd)
      close(writeEnd)
      return nil
    }
    self.thread = thread
    self.writeEnd = writeEnd
  }

  /// Removes the line.
  func stop() {
    close(writeEnd)
    pthread_join(thread, nil)
  }

  /// Starts the thread, which blocks all signals; nil if the system refuses another thread.
  private static func start(_ line: Line) -> pthread_t? {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(line)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, body, context.toOpaque()) == 0 else {
      context.release()
      return nil
    }
    return thread
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    Unmanaged<Line>.fromOpaque(context).takeRetainedValue().show()
    return nil
  }
}

/// The contents of the line.
private final class Line: Sendable {
  private let end: Date?
  private let start = Date.now
  private let descriptor: Int32
  private let columns: Int

  init(end: Date?, descriptor: Int32, columns: Int) {
    self.end = end
    self.descriptor = descriptor
    self.columns = columns
  }

  /// Updates the line once per second until the descriptor is closed.
  func show() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      put("\r\(text.prefix(columns - 1))\u{1B}[K")
    } while poll(&waiting, 1, 1000) == 0
    put("\r\u{1B}[K")
    close(descriptor)
  }

  private var text: String {
    let interval = end?.timeIntervalSinceNow ?? -start.timeIntervalSinceNow
    let seconds = max(0, Int(interval.rounded(.up)))
    let time = seconds < 120 ? "\(seconds) seconds" : "\(seconds / 60) minutes"
    return "Waiting for the sign-in: \(time)\(end == nil ? "" : " left") (Ctrl-C cancels)"
  }

  private func put(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { sendBytes(STDERR_FILENO, $0) }
  }
}
