// SPDX-License-Identifier: MIT
// The connections of a sign-in that waits: few at a time, so that nobody can keep the others out.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whoever is connected.
struct LoopbackVisitors {
  /// A browser has a handful; who comes when all places are taken gets that of whoever sits there longest.
  private static let places = 64

  private(set) var connections: [LoopbackConnection] = []
  /// The reading of the monotonic clock before which nobody is let in: there was no descriptor for another one.
  private(set) var pausedUntil: UInt64 = 0

  /// Lets in who waits, and listens to each at once: a browser has said all that it has to say by then.
  mutating func welcome(
    from descriptor: Int32, of listener: any AnswerListener, now: UInt64,
    _ conversation: inout any AnswerConversation
  ) {
    for _ in 0..<LoopbackVisitors.places {
      guard let accepted = listener.accept(from: descriptor) else {
        if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
          makeRoom()
          pausedUntil = now.adding(50_000_000)
        }
        return
      }
      let connection = LoopbackConnection(accepted, now: now)
      connection.advance(&conversation)
      if connection.isDone { continue }
      if connections.count >= LoopbackVisitors.places { makeRoom() }
      connections.append(connection)
    }
  }

  /// Goes on with those who have sent something, and with those whose time is over.
  mutating func attend(
    _ ready: Set<Int32>, now: UInt64, _ conversation: inout any AnswerConversation
  ) {
    for connection in connections {
      if ready.contains(connection.descriptor) { connection.advance(&conversation) }
      connection.expire(now: now, &conversation)
    }
    connections.removeAll { $0.isDone }
  }

  /// The first reading of the clock at which somebody's time is over.
  var nextEnd: UInt64 { connections.map(\.end).min() ?? .max }

  /// Whether somebody has not got the whole of an answer yet.
  var isSending: Bool { connections.contains(where: \.isSending) }

  /// Gives up who sits there longest, first among those that have been answered.
  private mutating func makeRoom() {
    let index = connections.firstIndex { !$0.isReading } ?? connections.indices.first
    if let index { connections.remove(at: index) }
  }
}
