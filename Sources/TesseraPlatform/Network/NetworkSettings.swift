// SPDX-License-Identifier: MIT
// Network settings: proxies, trusted certificates, timeouts.

import CTesseraSystem
import TesseraWire

/// The network settings.
///
/// A nil member uses the configuration of this machine.
package struct NetworkSettings: Sendable, Equatable {
  /// The proxy, such as `http://proxy.example.com:3128`; empty for none.
  ///
  /// If nil, it is read from `https_proxy`, `http_proxy` and `all_proxy`. See ``effectiveProxy(for:isElevated:)``.
  package var proxy: String?
  /// The hosts that are reached without the proxy, separated by commas.
  ///
  /// If nil, they are read from `no_proxy`.
  package var noProxy: String?
  /// A PEM file with the certificates of trusted authorities.
  ///
  /// If nil, it is read from `CURL_CA_BUNDLE` or `SSL_CERT_FILE`, or is libcurl's default.
  package var certificateAuthorityFile: String?
  /// The timeout of a connection in milliseconds, including name resolution and handshake.
  package var connectTimeoutMilliseconds: UInt32 = 10_000
  /// The timeout of a whole exchange in milliseconds, regardless of the deadline of the call.
  package var totalTimeoutMilliseconds: UInt32 = 30_000
  /// The value of `User-Agent`.
  package var userAgent = "tessera"

  /// Creates the default settings.
  package init() {}
}

extension NetworkSettings {
  /// Returns the value of `CURLOPT_PROXY` for a request; nil lets libcurl read the environment variables.
  ///
  /// A request to this machine never uses a proxy, regardless of settings and environment. It may be http, and the proxy
  /// could read its secrets. A process with elevated rights uses a proxy only if the settings contain one.
  ///
  /// - Parameter isElevated: Whether the process has more rights than its user.
  package func effectiveProxy(for url: String, isElevated: Bool) -> String? {
    if WebURL(url)?.isThisMachine == true { return "" }
    return proxy ?? (isElevated ? "" : nil)
  }
}

/// The trusted certificates.
struct TrustedCertificates {
  /// A PEM file; nil for libcurl's default.
  let file: String?
  /// A directory of certificates in OpenSSL's format; nil for libcurl's default.
  let directory: String?

  /// Selects the file of the settings, otherwise the variables that the programs curl and openssl read.
  ///
  /// The library libcurl does not read these variables itself.
  init(
    _ settings: NetworkSettings,
    environment: (String) -> String? = { ctessera_environment($0).map(String.init(cString:)) }
  ) {
    func variable(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard settings.certificateAuthorityFile == nil else {
      file = settings.certificateAuthorityFile
      directory = nil
      return
    }
    file = variable("CURL_CA_BUNDLE") ?? variable("SSL_CERT_FILE")
    directory = variable("SSL_CERT_DIR")
  }
}
