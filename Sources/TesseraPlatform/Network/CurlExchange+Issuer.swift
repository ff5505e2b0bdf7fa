// SPDX-License-Identifier: MIT
// Asking a server once more for the certificates that were refused: a handshake, and no request.

import CTesseraSystem
import TesseraEngine
import TesseraWire

extension CurlExchange {
  /// How long that may take; without an answer the error names no issuer.
  private static let issuerMilliseconds: Int64 = 5_000

  /// Who issued the last certificate of a server, or of a proxy before it; nil if that cannot be found out.
  ///
  /// The certificates are judged as they were before, so that the connection ends with the handshake again, and nothing
  /// follows one that succeeds this time (`CURLOPT_CONNECT_ONLY`).
  func issuer(
    of url: String, _ settings: NetworkSettings, _ certificates: TrustedCertificates,
    within limits: CallLimits, _ time: any TimeSource
  ) -> String? {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
    let seen = UnsafeMutablePointer<ctessera_certificates>.allocate(capacity: 1)
    seen.initialize(
      to: ctessera_certificates(bytes: bytes.baseAddress, size: bytes.count, count: 0))
    defer {
      ctessera_curl_watch_certificates(library.functions, easy, nil)
      bytes.deallocate()
      seen.deallocate()
    }
    let short = limits.atMost(milliseconds: CurlExchange.issuerMilliseconds, time)
    let exchangeLimits = ExchangeLimits(short, host: "", settings: settings, time: time)
    var options = CurlOptions(library, easy)
    options.setDefaults(settings, for: url)
    options.setTrust(certificates)
    options.set(CURLOPT_URL, url)
    options.set(CURLOPT_CONNECT_ONLY, 1)
    options.set(CURLOPT_CERTINFO, 1)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, exchangeLimits.connectMilliseconds)
    ctessera_curl_watch_certificates(library.functions, easy, seen)
    guard (try? options.check()) != nil,
      ctessera_curl_multi_add(library.functions, multi, easy),
      (try? run(within: exchangeLimits)) != nil
    else { return nil }
    if let name = ctessera_curl_issuer(library.functions, easy) {
      return String(cString: name).plain(atMost: 300).nonBlank
    }
    return CertificateIssuer.name(inMessage: bytes.prefix(seen.pointee.count))
  }
}
