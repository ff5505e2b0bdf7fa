// SPDX-License-Identifier: MIT
// The forms in which other programs expect a token.

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

/// A form of a token.
enum TokenFormat: String, CaseIterable {
  /// The token alone.
  case raw
  /// A header of HTTP, for `curl -H @-`.
  case header
  /// The document "TokenResult" of docs/c-interface.md.
  case json
  /// The output of `az account get-access-token`.
  case az
  /// The output of `azd auth token`.
  case azd
  /// The credential of an exec plugin of Kubernetes.
  case execcredential
  /// The initial response of XOAUTH2, in Base64.
  case xoauth2
  /// The initial response of OAUTHBEARER (RFC 7628), in Base64.
  case oauthbearer
  /// A line of a .netrc file.
  case netrc

  /// Whether the text is a JSON document.
  var isJSON: Bool {
    switch self {
    case .json, .az, .azd, .execcredential: true
    case .raw, .header, .xoauth2, .oauthbearer, .netrc: false
    }
  }

  /// Returns the text of a token, without a newline at its end.
  ///
  /// - Throws: `invalidMember` if the format requires a value that the token lacks, or if a value contains a control
  ///   character.
  func text(of token: FormattedToken) throws(TesseraError) -> String {
    for value in [token.accessToken, token.tokenType, token.host].compactMap(\.self)
    where !value.unicodeScalars.allSatisfy({ $0 > " " && $0 != "\u{7F}" }) {
      throw TokenFormat.invalid("A value of the token contains a space or a control character.")
    }
    return switch self {
    case .raw: token.accessToken
    case .header: "Authorization: \(token.tokenType) \(token.accessToken)"
    case .json: token.document
    case .az:
      JSONText.object([
        "accessToken": .string(token.accessToken),
        "expiresOn": .string(token.localExpiry),
        "expires_on": .number(token.expiresAt.secondsSince1970),
        "tenant": token.tenantID.map { .string($0) },
        "tokenType": .string(token.tokenType),
      ]).text
    case .azd:
      JSONText.object([
        "token": .string(token.accessToken), "expiresOn": .string(token.utcExpiry),
      ]).text
    case .execcredential:
      JSONText.object([
        "apiVersion": .string(token.apiVersion), "kind": .string("ExecCredential"),
        "status": .object([
          "token": .string(token.accessToken), "expirationTimestamp": .string(token.utcExpiry),
        ]),
      ]).text
    case .xoauth2:
      TokenFormat.base64(
        "user=\(try username(of: token))\u{1}auth=Bearer \(token.accessToken)\u{1}\u{1}")
    case .oauthbearer: TokenFormat.base64(try oauthBearer(token))
    case .netrc:
      "machine \(try host(of: token)) login \(try login(of: token)) password \(token.accessToken)"
    }
  }

  /// The message of RFC 7628 section 3.1.
  ///
  /// The host and the port are optional.
  private func oauthBearer(_ token: FormattedToken) throws(TesseraError) -> String {
    let name = try username(of: token).replacing("=", with: "=3D").replacing(",", with: "=2C")
    let host = token.host.map { "host=\($0)\u{1}" } ?? ""
    let port = token.port.map { "port=\($0)\u{1}" } ?? ""
    return "n,a=\(name),\u{1}\(host)\(port)auth=Bearer \(token.accessToken)\u{1}\u{1}"
  }

  /// The user name, which may contain spaces (OpenID Connect Core 5.1).
  private func username(of token: FormattedToken) throws(TesseraError) -> String {
    guard let username = token.username else {
      throw TokenFormat.invalid(
        "The account has no user name, which --format \(rawValue) requires.")
    }
    guard username.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\u{7F}" }) else {
      throw TokenFormat.invalid("The user name contains a control character.")
    }
    return username
  }

  private func login(of token: FormattedToken) throws(TesseraError) -> String {
    guard token.username != nil else { return "oauth2" }
    let username = try username(of: token)
    guard !username.contains(" ") else {
      throw TokenFormat.invalid("The user name contains a space, which .netrc does not support.")
    }
    return username
  }

  private func host(of token: FormattedToken) throws(TesseraError) -> String {
    if let host = token.host { return host }
    throw TokenFormat.invalid("--format \(rawValue) requires --host with the host of the service.")
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidMember, message)
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}

/// A token with the values that a ``TokenFormat`` contains.
struct FormattedToken {
  /// The access token, or the ID token for a service that expects it.
  var accessToken: String
  /// The token type.
  var tokenType = "Bearer"
  /// The expiry time.
  var expiresAt: Date
  /// The user name of the account.
  var username: String?
  /// The tenant ID; nil for a provider without tenants.
  var tenantID: String?
  /// The host of the service.
  var host: String?
  /// The port of the service.
  var port: Int?
  /// The version of `execcredential`, as requested in `KUBERNETES_EXEC_INFO`.
  var apiVersion = "client.authentication.k8s.io/v1"
  /// The document of `json`.
  var document = "{}"

  /// Creates the token of a result.
  init(_ result: TokenResult) {
    accessToken = result.accessToken.reveal()
    tokenType = result.tokenType
    expiresAt = result.expiresAt
    username = result.account.username
    tenantID = result.tenantID.isEmpty ? nil : result.tenantID
    document = result.jsonDocument.reveal()
  }

  /// Creates a token.
  init(accessToken: String, expiresAt: Date) {
    self.accessToken = accessToken
    self.expiresAt = expiresAt
  }

  /// The expiry time in UTC (RFC 3339).
  var utcExpiry: String { time("%Y-%m-%dT%H:%M:%SZ") { gmtime_r($0, $1) } }

  /// The expiry time in the time zone of this machine, as the Azure CLI prints it.
  fileprivate var localExpiry: String { time("%Y-%m-%d %H:%M:%S.000000") { localtime_r($0, $1) } }

  private func time(
    _ format: String,
    _ parts: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
  ) -> String {
    var seconds = time_t(expiresAt.secondsSince1970)
    var fields = tm()
    guard parts(&seconds, &fields) != nil else { return "" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &fields)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
