// SPDX-License-Identifier: MIT
// One connection of a local client, which is never waited for.

import CTesseraSystem
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection: it sends one request, gets one answer, and is closed.
final class LoopbackConnection {
  /// What can be polled.
  let descriptor: Int32
  /// The reading of the monotonic clock at which it is given up.
  private(set) var end: UInt64
  /// Whether there is nothing more to do with it.
  private(set) var isDone = false

  private let process = getpid()
  private var reader = LoopbackRequestReader()
  /// What is still to be sent; nil before the request is there.
  private var output: ArraySlice<UInt8>?
  /// How much is still read, and thrown away, after the answer.
  private var patience = LoopbackConnection.mostDiscarded

  /// How long a request, and the way of its answer, may take.
  private static let milliseconds: UInt64 = 10_000
  private static let mostDiscarded = 1 << 20

  init(_ descriptor: Int32, now: UInt64) {
    self.descriptor = descriptor
    end = now.adding(LoopbackConnection.milliseconds &* 1_000_000)
  }

  deinit {
    // A child of the host that was forked meanwhile has the socket too, and would keep the client waiting.
    if process == getpid() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    close(descriptor)
  }

  /// Whether its request is still awaited.
  var isReading: Bool { output == nil }

  /// Whether it has an answer that is not sent yet.
  var isSending: Bool { output?.isEmpty == false }

  /// For what it is polled.
  var events: Int16 { Int16(isSending ? POLLOUT : POLLIN) }

  /// Does what can be done without waiting.
  func advance(_ conversation: inout any AnswerConversation) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // What others send without end must not keep the call from its other business.
    for _ in 0..<8 {
      guard !isDone, !isSending else { break }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count == 0 || (errno != EAGAIN && errno != EINTR) { isDone = true }
        break
      }
      take(buffer.prefix(count), &conversation)
    }
    send()
  }

  /// Gives it up when its time is over; it is told so if it has sent too little.
  func expire(now: UInt64, _ conversation: inout any AnswerConversation) {
    guard now >= end, !isDone else { return }
    if isReading {
      output = conversation.reply(to: .late)[...]
      send()
    }
    isDone = true
  }

  private func take(_ bytes: ArraySlice<UInt8>, _ conversation: inout any AnswerConversation) {
    guard isReading else {
      patience -= bytes.count
      if patience < 0 { isDone = true }
      return
    }
    reader.take(bytes)
    switch reader.state {
    case .incomplete: return
    case .complete(let request): output = conversation.reply(to: request)[...]
    case .refused(let refusal): output = conversation.reply(to: refusal)[...]
    }
    reader = LoopbackRequestReader()
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
      // What is still on its way here would make the system take the answer back; so it is read, and ignored.
      if output?.isEmpty == true { shutdown(descriptor, Int32(SHUT_WR)) }
    }
  }
}
