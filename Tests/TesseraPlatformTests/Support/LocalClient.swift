// SPDX-License-Identifier: MIT
// A loopback client for valid and invalid requests.

import Foundation

/// A connection to a local port, which is closed on deinitialization.
final class LocalClient: Sendable {
  private let descriptor: Int32

  /// Connects; nil if no server listens on the port.
  init?(port: UInt16, isIPv6: Bool = false) {
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0, LocalClient.connects(descriptor, port, isIPv6) else { return nil }
  }

  deinit {
    close(descriptor)
  }

  private static func connects(_ descriptor: Int32, _ port: UInt16, _ isIPv6: Bool) -> Bool {
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = port.bigEndian
    four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    six.sin6_addr = in6addr_loopback
    if isIPv6 {
      return withUnsafeBytes(of: &six) { bytes in
        connect(
          descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count)) == 0
      }
    }
    return withUnsafeBytes(of: &four) { bytes in
      connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count)) == 0
    }
  }

  /// Sends text; false if the server has closed the connection.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Sends bytes; false if the server has closed the connection.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads until the server closes the connection.
  func readAll() -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      all += buffer.prefix(count)
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Sends a request and returns the whole response; empty if no server listens.
  static func exchange(_ port: UInt16, _ request: String, isIPv6: Bool = false) -> String {
    guard let client = LocalClient(port: port, isIPv6: isIPv6) else { return "" }
    client.write(request)
    return client.readAll()
  }

  /// Sends a GET request like a browser, and returns the response.
  static func get(_ port: UInt16, _ path: String, host: String? = nil) -> String {
    exchange(port, "GET \(path) HTTP/1.1\r\nHost: \(host ?? "localhost:\(port)")\r\n\r\n")
  }
}
