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

  /// Returns the issuer of the last certificate of a server; nil if it cannot be determined.
  ///
  /// The handshake accepts any certificate of the server, because libcurl does not report those of a failed handshake. No
  /// HTTP request is sent to the server (`CURLOPT_CONNECT_ONLY`). A proxy receives the CONNECT request, and its certificate
  /// is verified.
  func issuer(
    of url: String, _ settings: NetworkSettings, _ certificates: TrustedCertificates,
    within limits: CallLimits, _ time: any TimeSource
  ) -> String? {
    let short = limits.atMost(milliseconds: CurlExchange.issuerMilliseconds, time)
    let exchangeLimits = ExchangeLimits(short, host: "", settings: settings, time: time)
    var options = CurlOptions(library, easy)
    options.setDefaults(settings, for: url)
    options.setTrust(certificates)
    options.set(CURLOPT_URL, url)
    options.set(CURLOPT_SSL_VERIFYPEER, 0)
    options.set(CURLOPT_SSL_VERIFYHOST, 0)
    options.set(CURLOPT_CONNECT_ONLY, 1)
    options.set(CURLOPT_CERTINFO, 1)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, exchangeLimits.connectMilliseconds)
    guard (try? options.check()) != nil,
      ctessera_curl_multi_add(library.functions, multi, easy),
      (try? run(within: exchangeLimits)) != nil,
      let name = ctessera_curl_issuer(library.functions, easy)
    else { return nil }
    return String(cString: name).plain(atMost: 300).nonBlank
  }
}
