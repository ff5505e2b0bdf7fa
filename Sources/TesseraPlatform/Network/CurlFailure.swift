// SPDX-License-Identifier: MIT
// Conversion of libcurl errors to the errors of the library.

import CTesseraSystem
import TesseraEngine

/// A failed exchange, with the details for its error.
struct CurlFailure {
  /// The result code of libcurl.
  let code: CURLcode
  /// libcurl's description of the code.
  let errorText: String
  /// libcurl's description of this failure, which may quote data from the server.
  let detail: String
  /// The host, with its port.
  let host: String
  /// Whether Tessera aborted the exchange because the response was too large.
  let isTooLarge: Bool
  /// The configured file of trusted authorities, if any.
  let certificateFile: String?
  /// The status with which a proxy rejected the tunnel; 0 without a response to CONNECT.
  let proxyStatus: Int
  /// The issuer of an untrusted certificate, if it is known.
  var issuer: String?

  /// Whether a certificate was rejected.
  var isUntrusted: Bool {
    [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS]
      .contains(code)
  }

  /// The error for the application, with the descriptions of libcurl and the proxy as causes.
  var error: TesseraError {
    let text = issuer.map { "\(errorText) (issuer: \($0))" } ?? errorText
    let error = advice.caused(by: TesseraError.Cause(.libcurl, Int64(code.rawValue), text))
    guard proxyStatus >= 300 else { return error }
    return error.caused(by: TesseraError.Cause(status: proxyStatus))
  }

  private var advice: TesseraError {
    if isTooLarge { return invalid("it exceeds the maximum size") }
    if isUntrusted { return untrusted }
    return switch code {
    case CURLE_SSL_CACERT_BADFILE:
      TesseraError(
        .fixConfiguration, .certificateUntrusted,
        "The file with the trusted certificates cannot be read: "
          + "\(certificateFile ?? "the system has none; install the package ca-certificates").")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      invalid(errorText)
    case CURLE_URL_MALFORMAT:
      TesseraError(
        .fixConfiguration, .invalidConfiguration, "\(host) is not a valid URL: \(errorText).")
    case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_FAILED_INIT:
      TesseraError(.reportBug, .internalError, "libcurl rejected the request: \(errorText).")
    case _ where proxyStatus == 407:
      TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The proxy for \(host) requires credentials: add the correct user name and password to its URL."
      )
    default:
      TesseraError(
        .retryLater, .networkFailed, "\(host) could not be reached: \(errorText)\(proxyNote).")
    }
  }

  private var proxyNote: String {
    proxyStatus >= 300 ? "; the proxy returned status \(proxyStatus)" : ""
  }

  private var untrusted: TesseraError {
    TesseraError(
      .fixConfiguration, .certificateUntrusted,
      "The certificate of \(host), or of its proxy, is not trusted "
        + "(\(detail.isEmpty ? errorText : detail)). "
        + (issuer.map { "It was issued by \"\($0)\". " } ?? "")
        + "If this is the certificate authority of your organization or of an inspecting proxy, set "
        + "network.ca_file or the environment variable SSL_CERT_FILE to the file with its certificate. "
        + "Otherwise an attacker may intercept the connection.")
  }

  private func invalid(_ reason: String) -> TesseraError {
    TesseraError(
      .retryLater, .invalidResponse, "The response of \(host) cannot be used: \(reason).")
  }
}
