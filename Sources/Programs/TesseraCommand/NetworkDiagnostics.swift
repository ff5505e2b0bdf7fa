// SPDX-License-Identifier: MIT
// The checks of tessera doctor about the proxy of the desktop, the authentication of a proxy, and the clock.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The proxy settings of a desktop, which libcurl does not read.
enum DesktopProxy {
  /// Returns a phrase about the settings; nil if there is no desktop, or if it uses no proxy.
  static func phrase(_ environment: Environment) -> String? {
    guard let desktop = environment["XDG_CURRENT_DESKTOP"] else { return nil }
    let mode = desktop.contains("KDE") ? modeOfKDE(environment) : modeOfGNOME()
    switch mode {
    case "manual", "1":
      return "set there, but not used. Set the variable HTTPS_PROXY to the same proxy"
    case "auto", "2", "3":
      return """
        an automatic configuration (PAC), which is not used. Set the variable HTTPS_PROXY to the proxy that it selects
        """
    default: return nil
    }
  }

  /// Returns the mode of GNOME and related desktops.
  private static func modeOfGNOME() -> String {
    guard
      let output = popen("timeout 2 gsettings get org.gnome.system.proxy mode 2>/dev/null", "r")
    else { return "" }
    defer { pclose(output) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = fread(&buffer, 1, buffer.count, output)
    return String(decoding: buffer.prefix(count).filter { $0 > 0x20 && $0 != 0x27 }, as: UTF8.self)
  }

  /// Returns the type of KDE, as a number.
  private static func modeOfKDE(_ environment: Environment) -> String {
    guard let folder = environment.configurationHome else { return "" }
    let descriptor = open("\(folder)/kioslaverc", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    let text = DescriptorInput.bytes(of: descriptor, maximum: 1 << 16)
    let lines = String(decoding: text ?? [], as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("ProxyType=") }.map { String($0.dropFirst(10)) } ?? ""
  }
}

/// A proxy that required authentication.
struct ProxyAuthentication {
  private let host: String
  private let port: String

  /// The proxy for https in the variables; nil if there is none, or if it expects TLS.
  init?(_ environment: Environment) {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    guard let value = names.lazy.compactMap({ environment[$0] }).first else { return nil }
    let parts = value.split(separator: "://", maxSplits: 1)
    guard parts.count == 1 || parts[0].lowercased() == "http",
      let authority = parts.last?.split(separator: "/").first?.split(separator: "@").last
    else { return nil }
    let end = authority.lastIndex(of: ":") ?? authority.endIndex
    host = String(authority[..<end].drop { $0 == "[" }.prefix { $0 != "]" })
    port = end == authority.endIndex ? "1080" : String(authority[end...].dropFirst())
  }

  /// Returns the schemes that the proxy offers, such as Negotiate.
  func schemes(for server: String) -> [String] {
    guard let descriptor = connected() else { return [] }
    defer { close(descriptor) }
    guard sendText("CONNECT \(server) HTTP/1.1\r\nHost: \(server)\r\n\r\n", to: descriptor) else {
      return []
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    let end = Array("\r\n\r\n".utf8)
    while bytes.count < 1 << 16, !bytes.contains(end) {
      let count = buffer.withUnsafeMutableBytes { receiveBytes(descriptor, $0) }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    let name = "proxy-authenticate:"
    let offers = lines.filter { $0.lowercased().hasPrefix(name) }
    return offers.compactMap { offer in
      offer.dropFirst(name.count).split { !$0.isASCII || !($0.isLetter || $0 == "-") }.first
        .map(String.init)
    }
  }

  /// Returns the descriptor of a connection with a timeout of 5 seconds; nil if there is none.
  private func connected() -> Int32? {
    var hints = addrinfo()
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &found) == 0, let address = found?.pointee else {
      return nil
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(address.ai_family, address.ai_socktype, 0)
    guard descriptor >= 0 else { return nil }
    var timeout = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, size)
    }
    guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

/// The clock of this machine, compared with that of the provider.
struct ClockComparison {
  /// The difference that providers tolerate, in seconds.
  private static let tolerance = 300.0

  /// The seconds by which this clock is ahead; nil if the provider sent no time.
  private let lead: Double?

  /// Requests the time of the provider at an authority.
  init(_ authority: String) {
    let request = TransportRequest(
      method: "GET", url: "\(authority)/.well-known/openid-configuration", headers: [], body: [],
      timeout: .seconds(10), cancellation: nil)
    let response = try? SystemTransport().send(request)
    let date = response?.headers.first { $0.name.lowercased() == "date" }?.value
    lead = date.flatMap(ClockComparison.time).map { -$0.timeIntervalSinceNow }
  }

  /// The finding.
  var finding: CheckFinding {
    let now = FormattedToken(accessToken: "", expiresAt: .now).utcExpiry
    guard let lead else {
      return CheckFinding("clock", "\(now), not compared with the clock of the provider")
    }
    guard abs(lead) > ClockComparison.tolerance else {
      return CheckFinding("clock", "\(now), like the clock of the provider")
    }
    let minutes = Int(abs(lead) / 60)
    var finding = CheckFinding(
      TesseraError(
        .fixConfiguration, .invalidConfiguration,
        """
        The clock of this machine is \(minutes) minutes \(lead > 0 ? "ahead of" : "behind") that of the provider, so \
        tokens may be rejected.
        """))
    finding.step = "Set the clock, for example with: timedatectl set-ntp true"
    return finding
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses a time of HTTP, such as Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110 section 5.6.7).
  private static func time(_ text: String) -> Date? {
    let parts = text.split { $0 == " " || $0 == ":" }.map(String.init)
    guard parts.count == 8, let month = months.firstIndex(of: parts[2]) else { return nil }
    let number = (month < 9 ? "0" : "") + "\(month + 1)"
    return try? Date(
      "\(parts[3])-\(number)-\(parts[1])T\(parts[4]):\(parts[5]):\(parts[6])Z", strategy: .iso8601)
  }
}
