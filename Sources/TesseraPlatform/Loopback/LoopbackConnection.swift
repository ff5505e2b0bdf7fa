// SPDX-License-Identifier: MIT
// One non-blocking connection of a local client.

import CLibrary
import CTesseraSystem
import TesseraEngine
import TesseraWire

/// A connection of a client that sends one request and receives one reply.
final class LoopbackConnection {
  /// The socket, to be polled for ``events``.
  let descriptor: Int32
  /// The monotonic time at which the connection is closed, in nanoseconds.
  private(set) var deadline: UInt64
  /// Whether the connection can be closed.
  private(set) var isDone = false

  private let process = getpid()
  private var reader = LoopbackRequestReader()
  /// The bytes still to be sent; nil until the request is complete.
  private var output: ArraySlice<UInt8>?
  /// The number of bytes that are still read and discarded after the reply.
  private var discardAllowance = LoopbackConnection.maximumDiscardedBytes

  /// The timeout for the request and its reply together, in milliseconds.
  private static let milliseconds: UInt64 = 10_000
  private static let maximumDiscardedBytes = 1 << 20

  init(_ descriptor: Int32, now: UInt64) {
    self.descriptor = descriptor
    deadline = now.adding(LoopbackConnection.milliseconds &* 1_000_000)
  }

  deinit {
    // A child process forked by the host application may have inherited the socket, which would keep the connection open.
    if process == getpid() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    close(descriptor)
  }

  /// Whether the request is incomplete.
  var isReading: Bool { output == nil }

  /// Whether a part of the reply is still to be sent.
  var isSending: Bool { output?.isEmpty == false }

  /// The events to poll for.
  var events: Int16 { Int16(isSending ? POLLOUT : POLLIN) }

  /// Reads and sends as much as possible without blocking.
  ///
  /// - Returns: The redirect that the request delivers, for the reply with ``send(_:)``; nil if there is none.
  func advance(_ handler: inout any RedirectHandler) -> RawAuthorizationResponse? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // Limits the reads per call, so that a client that sends without end cannot block the wait.
    for _ in 0..<8 {
      guard !isDone, !isSending else { break }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count == 0 || (errno != EAGAIN && errno != EINTR) { isDone = true }
        break
      }
      if let redirect = take(buffer.prefix(count), &handler) { return redirect }
    }
    send()
    return nil
  }

  /// Sends a reply.
  func send(_ bytes: [UInt8]) {
    output = bytes[...]
    send()
  }

  /// Ends the connection if its timeout has passed.
  ///
  /// If the request is incomplete, the client receives status 408.
  func expire(now: UInt64, _ handler: any RedirectHandler) {
    guard now >= deadline, !isDone else { return }
    if isReading { send(handler.reply(to: .timedOut)) }
    isDone = true
  }

  private func take(
    _ bytes: ArraySlice<UInt8>, _ handler: inout any RedirectHandler
  ) -> RawAuthorizationResponse? {
    guard isReading else {
      discardAllowance -= bytes.count
      if discardAllowance < 0 { isDone = true }
      return nil
    }
    reader.take(bytes)
    switch reader.state {
    case .incomplete: return nil
    case .complete(let request):
      switch handler.handle(request) {
      case .redirect(let redirect): return redirect
      case .reply(let bytes): output = bytes[...]
      }
    case .refused(let error): output = handler.reply(to: error)[...]
    }
    reader = LoopbackRequestReader()
    return nil
  }

  private func send() {
    while let bytes = output, !bytes.isEmpty, !isDone {
      let count = bytes.withUnsafeBytes {
        ctessera_loopback_send(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        if errno != EAGAIN && errno != EINTR { isDone = true }
        return
      }
      output = bytes.dropFirst(count)
      // Keep reading and discard the input. Closing a socket with unread input resets the connection, and the reply may be lost.
      if output?.isEmpty == true { shutdown(descriptor, Int32(SHUT_WR)) }
    }
  }
}
