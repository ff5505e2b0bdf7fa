// SPDX-License-Identifier: MIT
// A credential that a service issues for a token: one exchange for all concurrent helpers, until it expires.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A credential that a service issued for a token.
struct IssuedCredential {
  /// The credential, or a document that contains it, on one line.
  let text: String
  /// The expiry time.
  let expiresAt: Date
}

/// Gets the credential of an entry.
struct IssuedCredentials {
  let entry: HelperEntry
  let environment: Environment
  /// The minimum remaining lifetime of a stored credential, in seconds.
  let minimumLifetime: Double

  /// Returns the stored credential of the signed-in account, or one that the service issues for its token.
  ///
  /// The token is requested first, so that a stored credential is not returned after a sign-out.
  func credential(
    issue: (HelperToken, Cancellation) throws(TesseraError) -> IssuedCredential
  ) throws(TesseraError) -> IssuedCredential {
    let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: true)
    let account = token.result.account.homeAccountID
    let state = try HelperState(entry, environment)
    if let stored = state.credential(of: account, validFor: minimumLifetime) { return stored }
    let cancellation = CallerMonitor.start()
    let start = Date.now
    return try state.withLock(cancellation) { () throws(TesseraError) in
      if let stored = state.credential(of: account, validFor: minimumLifetime) { return stored }
      // The processes that wait report the error of the first one, which may be a timeout.
      if let error = state.exchangeError(since: start) { throw error }
      do throws(TesseraError) {
        let issued = try issue(token, cancellation)
        state.store(issued, of: account)
        return issued
      } catch {
        if !cancellation.isCancelled { state.recordExchangeError(error) }
        StandardOutput.checkIsOpen()
        throw error
      }
    }
  }
}

/// A form that is sent to a service.
struct ServiceForm {
  /// The URL of the service.
  let url: String
  /// The names and values of the fields.
  let fields: [(name: String, value: String)]
  /// The field with the token, which is the last one.
  let token: (name: String, value: String)

  /// An AWS SDK waits for a minute, in which the helper also gets the token: see ``HelperTool/timeout``.
  private static let timeout = Duration.seconds(30)

  /// Sends the form, and returns the body of the response.
  ///
  /// A redirect would send the token to another host, so it is an error.
  ///
  /// - Parameter reason: Returns the reason in the response of a service that refused to issue a credential.
  /// - Throws: `requestRejected` if the service refused.
  func send(
    _ cancellation: Cancellation, reason: ([UInt8]) -> String?
  ) throws(TesseraError) -> [UInt8] {
    let body = (fields + [token]).map { "\($0.name)=\(ServiceForm.encoded($0.value))" }.joined(
      separator: "&")
    let response = try SystemTransport().send(
      TransportRequest(
        method: "POST", url: url,
        headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
        body: Array(body.utf8), timeout: ServiceForm.timeout, cancellation: cancellation))
    switch response.status {
    case 200: return response.body
    case 300..<400:
      throw TesseraError(
        .fixConfiguration, .invalidResponse,
        "\(url) redirects to another URL, which gets no token. List the URL of the service itself.")
    case 429:
      throw TesseraError(
        .retryLater, .throttled, "\(url) received too many requests. Try again later.")
    case 400..<500:
      // The service may quote the request.
      let reason = reason(response.body)?.replacing(token.value, with: "…").plain.prefix(300)
      throw TesseraError(
        .fixConfiguration, .requestRejected,
        "\(url) refused the token with the status \(response.status)\(reason.map { ": \($0)" } ?? "")."
      )
    default:
      throw TesseraError(
        .retryLater, .serverUnavailable,
        "\(url) returned the status \(response.status). Try again later.")
    }
  }

  /// Encodes a value (application/x-www-form-urlencoded).
  private static func encoded(_ value: String) -> String {
    value.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default:
        "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

extension String {
  /// Whether the text can be a credential in a protocol of lines: printable ASCII without spaces.
  var isCredential: Bool { !isEmpty && utf8.allSatisfy { (0x21..<0x7F).contains($0) } }
}
