// SPDX-License-Identifier: MIT
// Cancellation of a call by signals, for calls whose end must be reported to another process, such as the broker.

import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Signals that cancel the current call, and then end the command.
enum Interruption {
  /// The signals that request termination: Ctrl-C, `kill`, and the loss of the terminal.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Runs a call that a signal cancels, and then ends the command by the default action of that signal.
  ///
  /// A second signal ends the command at once. Signals that were ignored, as under `nohup`, stay ignored.
  static func cancelling<Value>(
    _ body: (Cancellation) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let cancellation = Cancellation()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let readEnd = ends.first, let writeEnd = ends.last else {
      return try body(cancellation)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(writeEnd) }
    guard SignalListener(readEnd, cancellation).start() else {
      close(readEnd)
      return try body(cancellation)
    }
    signalPipe = writeEnd
    let caught = numbers.filter(Interruption.installHandler)
    defer {
      for number in caught { signal(number, SIG_DFL) }
      if received != 0 { raise(received) }
    }
    return try body(cancellation)
  }

  /// Handles a signal once, unless it is ignored; returns whether it is handled.
  private static func installHandler(_ number: Int32) -> Bool {
    let previous = signal(number) { number in
      signal(number, SIG_DFL)
      received = number
      var byte: UInt8 = 0
      _ = write(signalPipe, &byte, 1)
    }
    guard unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
      return true
    }
    signal(number, SIG_IGN)
    return false
  }
}

/// A thread that cancels a call when a signal is received.
///
/// A task could not start while the call occupies all threads of the concurrency runtime.
private final class SignalListener: Sendable {
  private let descriptor: Int32
  private let cancellation: Cancellation

  init(_ descriptor: Int32, _ cancellation: Cancellation) {
    self.descriptor = descriptor
    self.cancellation = cancellation
  }

  /// Starts the thread, which blocks all signals.
  ///
  /// - Returns: `false` if the system refuses another thread.
  func start() -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, SignalListener.body, context.toOpaque())
    guard code == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    Unmanaged<SignalListener>.fromOpaque(context).takeRetainedValue().listen()
    return nil
  }

  /// Waits for a signal, or for the end of the call.
  private func listen() {
    var number: UInt8 = 0
    if read(descriptor, &number, 1) == 1 { cancellation.cancel() }
    close(descriptor)
  }
}

/// The state of the signal handler: the descriptor that it writes to, and the received signal.
private nonisolated(unsafe) var signalPipe: Int32 = -1
private nonisolated(unsafe) var received: Int32 = 0
