// SPDX-License-Identifier: MIT
// The TCP sockets on which an authorization response is awaited.

import CLibrary
import CTesseraSystem
import TesseraEngine

/// A listener on one loopback port, for IPv4 and IPv6, until it is released.
final class LoopbackListener: ResponseListener {
  /// The port.
  let port: UInt16
  /// The listening descriptors, to be polled for connections.
  let descriptors: [Int32]
  private let process = getpid()

  /// The number of ports to try.
  ///
  /// A port that the system chose for one address may be in use on the other.
  private static let attempts = 20

  /// Listens at the host and port of a redirect URI.
  ///
  /// A browser may resolve `localhost` to either address, and a process that listens at the other one would receive the response.
  /// Therefore both addresses are bound, unless the machine has only one of them.
  ///
  /// - Throws: `redirectPortTaken`, `tooManyOpenFiles`.
  init(_ address: LoopbackRedirectURI) throws(TesseraError) {
    let families = address.host == "localhost" ? [false, true] : [address.host == "[::1]"]
    var code = EADDRINUSE
    for _ in 0..<(address.port == nil ? LoopbackListener.attempts : 1) {
      var port = address.port ?? 0
      do throws(ListenFailure) {
        descriptors = try LoopbackListener.listen(families, &port)
        self.port = port
        return
      } catch {
        code = error.code
      }
    }
    throw LoopbackListener.failure(code, address.port)
  }

  /// The `errno` of a failed attempt to listen.
  private struct ListenFailure: Error {
    let code: Int32
  }

  /// Returns the error for an `errno` of a failed attempt to listen.
  private static func failure(_ code: Int32, _ port: UInt16?) -> TesseraError {
    if TesseraError.isDescriptorLimit(code) { return .noDescriptorLeft }
    guard let port else {
      return TesseraError(
        .fixConfiguration, .redirectPortTaken,
        "No port is free for the redirect URI.")
    }
    let reason =
      code == EACCES
      ? "requires root privileges: use a port above 1023"
      : "is in use by another process: end it"
    return TesseraError(
      .fixConfiguration, .redirectPortTaken,
      "Port \(port) of the redirect URI \(reason), or omit the port if the provider accepts any port (Entra does for "
        + "http://localhost).")
  }

  deinit {
    for descriptor in descriptors {
      // A child process forked by the host application may have inherited the socket, and must not keep it listening.
      if process == getpid() { shutdown(descriptor, Int32(SHUT_RDWR)) }
      close(descriptor)
    }
  }

  /// Accepts the next connection; nil if there is none, with the reason in `errno`.
  func accept(from descriptor: Int32) -> Int32? {
    let connection = ctessera_loopback_accept(descriptor)
    return connection >= 0 ? connection : nil
  }

  /// Listens on one port, on each address family that the machine supports.
  private static func listen(
    _ families: [Bool], _ port: inout UInt16
  ) throws(ListenFailure) -> [Int32] {
    var descriptors: [Int32] = []
    var code: Int32 = 0
    for isIPv6 in families {
      let descriptor = ctessera_loopback_listen(isIPv6, &port)
      if descriptor >= 0 {
        descriptors.append(descriptor)
        continue
      }
      code = errno
      if [EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(code) { continue }
      for descriptor in descriptors { close(descriptor) }
      throw ListenFailure(code: code)
    }
    guard !descriptors.isEmpty else { throw ListenFailure(code: code) }
    return descriptors
  }
}
