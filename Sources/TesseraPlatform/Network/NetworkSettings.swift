// SPDX-License-Identifier: MIT
// How the network is reached: proxies, certificates, patience.

import CTesseraSystem
import TesseraWire

/// Settings of the network; what is left out is as libcurl finds it on this machine.
package struct NetworkSettings: Sendable, Equatable {
  /// The proxy, such as `http://proxy.example.com:3128`; empty for none.
  ///
  /// Left out, it comes from `https_proxy`, `http_proxy` and `all_proxy`. See ``effectiveProxy(for:isElevated:)``.
  package var proxy: String?
  /// Hosts that are reached without the proxy, separated by commas.
  ///
  /// Left out, they come from `no_proxy`.
  package var noProxy: String?
  /// A file with the certificates of the authorities to trust, in PEM.
  ///
  /// Left out, it comes from `CURL_CA_BUNDLE` or `SSL_CERT_FILE`, or is the system's own.
  package var certificateAuthorityFile: String?
  /// How long a connection may take to come about, name and handshake included.
  package var connectTimeoutMilliseconds: UInt32 = 10_000
  /// How long a whole exchange may take, whatever the deadline of the call allows.
  package var totalTimeoutMilliseconds: UInt32 = 30_000
  /// What is sent as `User-Agent`.
  package var userAgent = "tessera"

  /// Settings that leave everything to the machine.
  package init() {}
}

extension NetworkSettings {
  /// The value of `CURLOPT_PROXY` for a request; nil lets libcurl read the variables of the environment.
  ///
  /// A request to this machine goes through no proxy, whatever the settings and the environment name: it may be http, and
  /// the proxy would read its secrets. A program with elevated rights uses a proxy only if the settings name one.
  ///
  /// - Parameter isElevated: whether the program has more rights than its user.
  package func effectiveProxy(for url: String, isElevated: Bool) -> String? {
    if WebAddress(url)?.isThisMachine == true { return "" }
    return proxy ?? (isElevated ? "" : nil)
  }
}

/// Whose certificates are trusted.
struct TrustedCertificates {
  /// A file of certificates in PEM; nil for libcurl's own.
  let file: String?
  /// A directory of certificates as OpenSSL keeps them; nil for libcurl's own.
  let directory: String?

  /// What the settings name, else what users of curl and of OpenSSL set in the environment.
  ///
  /// The programs look there, libcurl does not.
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
