// SPDX-License-Identifier: MIT
// Redirect URIs on the loopback interface, and the TCP sockets that listen there.

import CLibrary
import CTesseraSystem
import TesseraEngine
import TesseraWire

package struct LoopbackRedirectURI: Sendable, Equatable {
  /// The host as written: `localhost`, `127.0.0.1` or `[::1]`.
  package let host: String
  /// The port; nil for any free port.
  package let port: UInt16?
  /// The path, which begins with a slash.
  package let path: String
  /// The parts before and after the port, as written.
  private let partsAroundPort: (String, String)

  /// Parses a redirect URI.
  ///
  /// Returns nil unless the scheme is http, the host is a loopback host, and there is no query or fragment.
  package init?(_ redirectURI: String) {
    guard let address = WebURL(redirectURI), address.scheme == "http",
      ["localhost", "127.0.0.1", "[::1]", "::1"].contains(address.host),
      !redirectURI.contains("?"), !redirectURI.contains("#")
    else { return nil }
    let rest = redirectURI.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    host = address.host == "::1" ? "[::1]" : address.host
    let digits = authority.count > host.count ? authority.dropFirst(host.count + 1) : ""
    // Port 80 is accepted although it is the default of the scheme. Port 0 is not a valid port.
    let number = digits.isEmpty ? nil : UInt16(digits)
    guard digits.isEmpty || number != nil, number != 0 else { return nil }
    port = number
    self.path = path.isEmpty ? "/" : String(path)
    partsAroundPort = ("http://" + authority.prefix(host.count), String(path))
  }

  /// Returns the redirect URI with a port.
  package func text(port: UInt16) -> String { "\(partsAroundPort.0):\(port)\(partsAroundPort.1)" }

  /// Whether a `Host` header field names this address.
  ///
  /// A page of another site can reach this machine under its own host name (DNS rebinding). The browser then sends that name,
  /// which is rejected here.
  package func matchesHost(_ name: String, port: UInt16) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains { host in
      name == "\(host):\(port)" || port == 80 && name == host
    }
  }

  /// Whether both addresses are the same.
  package static func == (left: LoopbackRedirectURI, right: LoopbackRedirectURI) -> Bool {
    left.partsAroundPort == right.partsAroundPort && left.port == right.port
  }
}

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
      if let found = LoopbackListener.listen(families, &port) {
        descriptors = found
        self.port = port
        return
      }
      code = errno
    }
    throw LoopbackListener.failure(code, address.port)
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
  ///
  /// - Returns: The descriptors, or nil with the reason in `errno`.
  private static func listen(_ families: [Bool], _ port: inout UInt16) -> [Int32]? {
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
      descriptors = []
      break
    }
    errno = code
    return descriptors.isEmpty ? nil : descriptors
  }
}
