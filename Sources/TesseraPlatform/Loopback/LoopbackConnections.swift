// SPDX-License-Identifier: MIT
// The open connections of a sign-in, limited in number so that no client can exclude the others.

import CLibrary
import TesseraEngine

/// The open client connections.
struct LoopbackConnections {
  /// The maximum number of connections; a browser opens a few.
  ///
  /// At the limit, the oldest one is closed.
  private static let maximumCount = 64

  private(set) var connections: [LoopbackConnection] = []
  /// The monotonic time before which no connection is accepted, because descriptors or memory ran out.
  private(set) var pausedUntil: UInt64 = 0

  /// Accepts the waiting connections and reads from each at once, because a browser usually has sent its whole request by then.
  mutating func acceptClients(
    from descriptor: Int32, of listener: any ResponseListener, now: UInt64,
    _ handler: inout any RedirectHandler
  ) {
    for _ in 0..<LoopbackConnections.maximumCount {
      guard let accepted = listener.accept(from: descriptor) else {
        if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
          closeOldest()
          pausedUntil = now.adding(50_000_000)
        }
        return
      }
      let connection = LoopbackConnection(accepted, now: now)
      connection.advance(&handler)
      if connection.isDone { continue }
      if connections.count >= LoopbackConnections.maximumCount { closeOldest() }
      connections.append(connection)
    }
  }

  /// Reads from and sends to the ready connections, and ends those that timed out.
  mutating func serveClients(
    _ ready: Set<Int32>, now: UInt64, _ handler: inout any RedirectHandler
  ) {
    for connection in connections {
      if ready.contains(connection.descriptor) { connection.advance(&handler) }
      connection.expire(now: now, &handler)
    }
    connections.removeAll { $0.isDone }
  }

  /// The monotonic time of the first timeout; `.max` without connections.
  var nextDeadline: UInt64 { connections.map(\.deadline).min() ?? .max }

  /// Whether any connection still has a part of its reply to send.
  var isSending: Bool { connections.contains(where: \.isSending) }

  /// Closes the oldest connection, preferably one with a complete request.
  private mutating func closeOldest() {
    let index = connections.firstIndex { !$0.isReading } ?? connections.indices.first
    if let index { connections.remove(at: index) }
  }
}
