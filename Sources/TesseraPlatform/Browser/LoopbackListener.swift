// SPDX-License-Identifier: MIT
// The sockets at which an answer is awaited.

import CTesseraSystem
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Listens on one port of this machine, for IPv4 and IPv6, until it is released.
final class LoopbackListener: AnswerListener {
  /// The port.
  let port: UInt16
  /// What can be polled for connections.
  let descriptors: [Int32]
  private let process = getpid()

  /// How often another port is tried when somebody has one of the two addresses of it.
  private static let attempts = 20

  /// Listens where a redirect URI says.
  ///
  /// A browser may take `localhost` for either address, and whoever listens at the other one would get the answer: so
  /// both are taken, unless the machine has only one of them.
  ///
  /// - Throws: `redirectPortTaken`.
  init(_ address: LoopbackAddress) throws(TesseraError) {
    let families = address.host == "localhost" ? [false, true] : [address.host == "[::1]"]
    for _ in 0..<(address.port == nil ? LoopbackListener.attempts : 1) {
      var port = address.port ?? 0
      if let descriptors = LoopbackListener.listen(families, &port) {
        self.port = port
        self.descriptors = descriptors
        return
      }
    }
    throw TesseraError(
      .fixConfiguration, .redirectPortTaken,
      address.port.map {
        "Port \($0) of the redirect URI is taken by another program: end it, or leave the port out if the provider "
          + "takes any (Entra does for http://localhost)."
      } ?? "There is no free port for the answer of the browser.")
  }

  deinit {
    for descriptor in descriptors {
      // A child of the host that was forked meanwhile has the socket too, and must not keep it listening.
      if process == getpid() { shutdown(descriptor, Int32(SHUT_RDWR)) }
      close(descriptor)
    }
  }

  /// The next connection; nil when there is none, `errno` says why.
  func accept(from descriptor: Int32) -> Int32? {
    let connection = ctessera_loopback_accept(descriptor)
    return connection >= 0 ? connection : nil
  }

  /// Listens on one port for all families that the machine has; nil when somebody has it for one of them.
  private static func listen(_ families: [Bool], _ port: inout UInt16) -> [Int32]? {
    var descriptors: [Int32] = []
    for isIPv6 in families {
      let descriptor = ctessera_loopback_listen(isIPv6, &port)
      if descriptor >= 0 {
        descriptors.append(descriptor)
      } else if ![EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(errno) {
        for descriptor in descriptors { close(descriptor) }
        return nil
      }
    }
    return descriptors.isEmpty ? nil : descriptors
  }
}
