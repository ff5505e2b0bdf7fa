// SPDX-License-Identifier: MIT
// The server for one redirect URI, on TCP sockets or on a Unix socket of the user: its connections, requests and replies.

import CLibrary
import CTesseraSystem
package import TesseraEngine
package import TesseraWire

protocol ResponseListener {
  /// The listening descriptors, to be polled for connections.
  var descriptors: [Int32] { get }

  /// Accepts the next connection; nil if there is none, with the reason in `errno`.
  func accept(from descriptor: Int32) -> Int32?
}

/// A handler that decides on the reply to each request, without sockets or clock.
package protocol RedirectHandler {
  /// Whether the client that delivered the authorization response needs no further reply.
  var isOver: Bool { get }

  /// Handles a request.
  mutating func handle(_ request: LoopbackRequest) -> HandledRequest
  /// Returns the reply to a redirect.
  mutating func reply(
    _ reply: BrowserReply, to redirect: RawAuthorizationResponse
  ) -> LoopbackReply
  /// Returns the reply to bytes that are not a valid request.
  func reply(to error: LoopbackRequestError) -> LoopbackReply
}

/// The result of a request.
package enum HandledRequest {
  /// The request delivers a redirect, which has no reply yet.
  case redirect(RawAuthorizationResponse)
  /// The reply to another request.
  case reply(LoopbackReply)
}

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
  /// - Returns: A redirect, to which ``reply(_:)`` replies; nil if none has arrived.
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

private final class LoopbackConnection {
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
  func send(_ reply: LoopbackReply) {
    output = reply.bytes[...]
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
    do throws(LoopbackRequestError) {
      guard let request = try reader.take(bytes) else { return nil }
      switch handler.handle(request) {
      case .redirect(let redirect): return redirect
      case .reply(let reply): output = reply.bytes[...]
      }
    } catch {
      output = handler.reply(to: error).bytes[...]
    }
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
