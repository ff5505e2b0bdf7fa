// SPDX-License-Identifier: MIT
// The HTTP transport on libcurl, which is loaded by the first request and driven on the calling thread.

import Synchronization
package import TesseraEngine
package import TesseraWire

/// A transport on the libcurl of this machine.
package final class CurlTransport: Transport {
  private let settings: NetworkSettings
  private let certificates: TrustedCertificates
  private let time: any TimeSource
  private let libraryNames: [String]
  private let library = AtomicLazyReference<CurlLibrary>()
  private let abandoned = AbandonedExchanges()

  /// Creates a transport without loading libcurl.
  ///
  /// - Parameter time: The clock of the call limits.
  package convenience init(
    _ settings: NetworkSettings = NetworkSettings(), time: any TimeSource = SystemTime()
  ) {
    self.init(settings, time: time, libraryNames: CurlLibrary.names)
  }

  /// Creates a transport on the first available of the given libraries.
  package init(_ settings: NetworkSettings, time: any TimeSource, libraryNames: [String]) {
    self.settings = settings
    self.time = time
    self.libraryNames = libraryNames
    certificates = TrustedCertificates(settings)
  }

  /// Sends a request and returns the response, whatever its status.
  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    var isSent = false
    do throws(TesseraError) {
      return try response(to: request, within: limits, &isSent)
    } catch {
      var error = error
      error.isUnsent = !isSent
      throw error
    }
  }

  /// Sends a request and returns the response.
  ///
  /// - Parameter isSent: Set to true if the server may have received part of the request.
  private func response(
    to request: HTTPRequest, within limits: CallLimits, _ isSent: inout Bool
  ) throws(TesseraError) -> HTTPResponse {
    try limits.check(time)
    guard let host = WebURL(request.url)?.authority, !request.url.utf8.contains(0) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The URL of a request is not an http or https URL.")
    }
    try certificates.checkFile()
    let library = try openedLibrary()
    return try BlockedSignal.brokenPipe.blocked { () throws(TesseraError) in
      abandoned.freeFinished()
      return try request.body.withUnsafeBufferPointer { body throws(TesseraError) in
        let exchange = try CurlExchange(library)
        defer { abandoned.end(exchange) }
        let exchangeLimits = ExchangeLimits(limits, host: host, settings: settings, time: time)
        try exchange.prepare(
          request, body: body, settings: settings, certificates: certificates,
          connectMilliseconds: exchangeLimits.connectMilliseconds)
        defer { isSent = exchange.isSent }
        try run(exchange, within: exchangeLimits, cancellation: limits.cancellation)
        return try exchange.response(from: host, certificates: certificates) {
          issuer(of: request.url, library, within: limits)
        }
      }
    }
  }

  /// Returns the issuer of a server's untrusted certificate; nil if it cannot be determined.
  private func issuer(
    of url: String, _ library: CurlLibrary, within limits: CallLimits
  ) -> String? {
    guard let handshake = try? CurlExchange(library) else { return nil }
    defer { abandoned.end(handshake) }
    let find = { [settings, certificates, time] in
      handshake.issuer(of: url, settings, certificates, within: limits, time)
    }
    guard let cancellation = limits.cancellation else { return find() }
    return cancellation.waking(with: { handshake.wake() }, find)
  }

  private func run(
    _ exchange: CurlExchange, within limits: ExchangeLimits, cancellation: Cancellation?
  ) throws(TesseraError) {
    guard let cancellation else { return try exchange.run(within: limits) }
    try cancellation.waking(with: { exchange.wake() }) { () throws(TesseraError) in
      try exchange.run(within: limits)
    }
  }

  private func openedLibrary() throws(TesseraError) -> CurlLibrary {
    if let library = library.load() { return library }
    return library.storeIfNil(try CurlLibrary(names: libraryNames))
  }
}
