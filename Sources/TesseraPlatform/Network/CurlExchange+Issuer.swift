// SPDX-License-Identifier: MIT
// A second TLS handshake without a request, to obtain the issuer of a rejected certificate.

import CTesseraSystem
import TesseraEngine
import TesseraWire

extension CurlExchange {
  /// The timeout of the handshake, in milliseconds.
  ///
  /// Without a result, the error contains no issuer.
  private static let issuerMilliseconds: Int64 = 5_000

  /// Returns the issuer of the last certificate of a server, or of its proxy; nil if it cannot be determined.
  ///
  /// Certificates are verified as before, so the connection normally fails again in the handshake. If it succeeds this time, no
  /// request is sent (`CURLOPT_CONNECT_ONLY`).
  func issuer(
    of url: String, _ settings: NetworkSettings, _ certificates: TrustedCertificates,
    within limits: CallLimits, _ time: any TimeSource
  ) -> String? {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
    let seen = UnsafeMutablePointer<ctessera_certificates>.allocate(capacity: 1)
    seen.initialize(
      to: ctessera_certificates(bytes: bytes.baseAddress, size: bytes.count, count: 0))
    defer {
      ctessera_curl_record_certificates(library.functions, easy, nil)
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
    ctessera_curl_record_certificates(library.functions, easy, seen)
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
