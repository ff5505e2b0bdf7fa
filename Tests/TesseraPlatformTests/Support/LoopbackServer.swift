// SPDX-License-Identifier: MIT
// A loopback server with a custom handler for each connection.

import Foundation

/// Accepts connections on a free port of the loopback interface until it is deinitialized.
final class LoopbackServer: Sendable {
  /// The port, selected by the system.
  let port: UInt16
  private let listener: Int32

  /// Starts a server that passes each connection to `handle`, on a separate thread.
  init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [listener] in
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        Thread.detachNewThread { serve(Connection(descriptor)) }
      }
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Returns the URL of a path.
  func url(_ path: String = "/") -> String {
    "http://127.0.0.1:\(port)\(path)"
  }

  /// Returns a port without a listener.
  static func unusedPort() throws -> UInt16 {
    try LoopbackServer { _ in }.port
  }

  /// Starts a server that reads a request, responds with a text and closes the connection.
  static func responding(_ text: String, body: [UInt8] = []) throws -> LoopbackServer {
    try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.write(Array(text.utf8) + body)
    }
  }

  /// Starts a server that never responds.
  static func silent() throws -> LoopbackServer {
    try LoopbackServer { $0.readUntilClosed() }
  }

  /// Starts a server that sends one byte of a header every 20 ms, forever.
  static func dripping() throws -> LoopbackServer {
    try LoopbackServer { connection in
      connection.write("HTTP/1.1 200 OK\r\nX: ")
      while connection.write("a") { usleep(20_000) }
    }
  }

  /// Starts a server that reads a request and resets the connection.
  static func resetting() throws -> LoopbackServer {
    try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.reset()
    }
  }
}

/// A connection of a client, which is closed on deinitialization.
final class Connection: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Reads the request, with the body according to its `Content-Length`.
  func readRequest() -> String {
    var bytes: [UInt8] = []
    while let piece = readPiece() {
      bytes += piece
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let length = text.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.output.1) }
      if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads some bytes; nil if the client has closed the connection.
  func readPiece() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Reads until the client closes the connection.
  func readUntilClosed() {
    while readPiece() != nil {}
  }

  /// Sends text; false if the client has closed the connection.
  @discardableResult
  func write(_ text: String) -> Bool {
    write(Array(text.utf8))
  }

  /// Sends bytes; false if the client has closed the connection.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Makes the connection end with a reset on deinitialization.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}
