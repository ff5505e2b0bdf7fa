// SPDX-License-Identifier: MIT
// What libcurl's results mean to an application.

import CTesseraSystem
import TesseraEngine

/// An exchange that failed, with all that its error needs to say.
struct CurlFailure {
  /// libcurl's result.
  let code: CURLcode
  /// libcurl's words for it.
  let words: String
  /// libcurl's words for this one case; they may quote what the server sent.
  let detail: String
  /// The host, with its port.
  let host: String
  /// Whether we ended the exchange because of the size of the response.
  let isTooLarge: Bool
  /// The file with the authorities that are trusted, if one was named.
  let certificateFile: String?
  /// What a proxy answered to the wish for a tunnel; 0 if it was not asked.
  let proxyStatus: Int
  /// Who issued a certificate that is not trusted, if that is known.
  var issuer: String?

  /// Whether a certificate was refused.
  var isUntrusted: Bool {
    [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS]
      .contains(code)
  }

  /// The error for the application, with what libcurl and the proxy said.
  var error: TesseraError {
    let said = issuer.map { "\(words) (issuer: \($0))" } ?? words
    let error = advice.caused(by: ErrorCause(.libcurl, Int64(code.rawValue), said))
    guard proxyStatus >= 300 else { return error }
    return error.caused(by: ErrorCause(status: proxyStatus))
  }

  private var advice: TesseraError {
    if isTooLarge { return invalid("it is larger than any that is expected") }
    if isUntrusted { return untrusted }
    return switch code {
    case CURLE_SSL_CACERT_BADFILE:
      TesseraError(
        .fixConfiguration, .certificateUntrusted,
        "The file with the certificates to trust cannot be read: "
          + "\(certificateFile ?? "the system has none, install the package ca-certificates").")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      invalid(words)
    case CURLE_URL_MALFORMAT:
      TesseraError(.fixConfiguration, .invalidConfiguration, "\(host) is not an address: \(words).")
    case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_FAILED_INIT:
      TesseraError(.reportBug, .internalError, "libcurl refused the exchange: \(words).")
    case _ where proxyStatus == 407:
      TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The proxy before \(host) wants a user name and a password in its address, or other ones.")
    default:
      TesseraError(
        .retryLater, .networkFailed, "\(host) could not be reached: \(words)\(proxyNote).")
    }
  }

  private var proxyNote: String {
    proxyStatus >= 300 ? "; a proxy before it answered with status \(proxyStatus)" : ""
  }

  private var untrusted: TesseraError {
    TesseraError(
      .fixConfiguration, .certificateUntrusted,
      "The certificate of \(host), or of a proxy before it, is not trusted "
        + "(\(detail.isEmpty ? words : detail)). "
        + (issuer.map { "It was issued by \"\($0)\". " } ?? "")
        + "If that is an authority of your own, or of a proxy that reads along, name the file with "
        + "its certificate in ca_file or in the environment variable SSL_CERT_FILE. If it is not, "
        + "somebody may be in between.")
  }

  private func invalid(_ reason: String) -> TesseraError {
    TesseraError(
      .retryLater, .invalidResponse, "The response of \(host) cannot be used: \(reason).")
  }
}
