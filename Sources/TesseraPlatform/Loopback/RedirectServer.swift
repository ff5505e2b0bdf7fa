// SPDX-License-Identifier: MIT
// The server for one redirect URI: its sockets and its connections, limited in number so that no client can exclude the others.

import CLibrary
import TesseraEngine
import TesseraWire

/// A server that receives redirects and sends a reply to each, without blocking.
struct RedirectServer {
  private let listener: any ResponseListener
  private var handler: any RedirectHandler
  private var connections: [LoopbackConnection] = []
  /// The redirect without a reply, and its connection.
  private var pending: (redirect: RawAuthorizationResponse, connection: LoopbackConnection)?
  /// The monotonic time before which no connection is accepted, because descriptors or memory ran out.
  private var pausedUntil: UInt64 = 0

  /// The maximum number of connections; a browser opens a few.
  ///
  /// At the limit, the oldest one is closed.
  private static let maximumCount = 64

  init(_ listener: any ResponseListener, _ handler: any RedirectHandler) {
    self.listener = listener
    self.handler = handler
  }

  /// Whether the client that delivered the authorization response needs no further reply.
  var isOver: Bool { handler.isOver && !connections.contains(where: \.isSending) }

  /// The monotonic time at which to call ``serve(_:now:)`` even if no descriptor is ready; `.max` for none.
  func deadline(_ now: UInt64) -> UInt64 {
    let first = connections.map(\.deadline).min() ?? .max
    return now < pausedUntil ? min(first, pausedUntil) : first
  }

  /// Returns the descriptors to poll.
  func entries(_ now: UInt64) -> [pollfd] {
    let listening = now < pausedUntil ? [] : listener.descriptors
    return listening.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      + connections.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
  }

  /// Serves the ready descriptors until a redirect arrives.
  ///
  /// - Returns: A redirect, whose client waits for ``reply(_:)``; nil if none has arrived.
  mutating func serve(_ ready: Set<Int32>, now: UInt64) -> RawAuthorizationResponse? {
    for connection in connections {
      if ready.contains(connection.descriptor) { advance(connection) }
      connection.expire(now: now, handler)
    }
    connections.removeAll { $0.isDone }
    for descriptor in listener.descriptors where ready.contains(descriptor) {
      acceptClients(from: descriptor, now: now)
    }
    return pending?.redirect
  }

  /// Sends the reply to the redirect that was received last.
  mutating func reply(_ reply: BrowserReply) {
    guard let (redirect, connection) = pending else { return }
    pending = nil
    connection.send(handler.reply(reply, to: redirect))
  }

  /// Reads from and sends to a connection.
  ///
  /// While a redirect has no reply, no other request is read.
  private mutating func advance(_ connection: LoopbackConnection) {
    guard pending == nil else { return }
    pending = connection.advance(&handler).map { ($0, connection) }
  }

  /// Accepts the waiting connections and reads from each at once, because a browser usually has sent its whole request by then.
  private mutating func acceptClients(from descriptor: Int32, now: UInt64) {
    for _ in 0..<RedirectServer.maximumCount where pending == nil {
      guard let accepted = listener.accept(from: descriptor) else {
        if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
          closeOldest()
          pausedUntil = now.adding(50_000_000)
        }
        return
      }
      let connection = LoopbackConnection(accepted, now: now)
      advance(connection)
      if connection.isDone { continue }
      if connections.count >= RedirectServer.maximumCount { closeOldest() }
      connections.append(connection)
    }
  }

  /// Closes the oldest connection, preferably one with a complete request.
  private mutating func closeOldest() {
    let index = connections.firstIndex { !$0.isReading } ?? connections.indices.first
    if let index { connections.remove(at: index) }
  }
}
