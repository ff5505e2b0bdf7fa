// SPDX-License-Identifier: MIT
// The credentials of a role of AWS, which the Security Token Service issues for an ID token.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The ARN of a role.
struct RoleName {
  /// The ARN.
  let text: String

  /// Parses an ARN; nil if it is not that of a role.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "arn", parts[1].hasPrefix("aws"), parts[2] == "iam",
      parts[3].isEmpty, parts[4].utf8.count == 12,
      parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }), parts[5].hasPrefix("role/"),
      parts[5].utf8.count > 5
    else { return nil }
    self.text = text
  }
}

/// The request AssumeRoleWithWebIdentity, which has no signature.
struct RoleRequest {
  /// The minimum remaining lifetime of credentials, in seconds.
  ///
  /// The AWS SDKs run the helper again at each use if less than 15 minutes are left.
  static let minimumLifetime = 900.0

  /// The entry of the role, which alone determines the host.
  let entry: HelperEntry

  /// Returns the credentials as the document of `credential_process`.
  func credential(
    _ token: HelperToken, _ cancellation: Cancellation
  ) throws(TesseraError) -> IssuedCredential {
    let form = ServiceForm(
      url: "\(entry.endpoint ?? "")/",
      fields: [
        (name: "Action", value: "AssumeRoleWithWebIdentity"),
        (name: "Version", value: "2011-06-15"), (name: "RoleArn", value: entry.url),
        (name: "RoleSessionName", value: RoleRequest.sessionName(token.result.account.username)),
      ], token: (name: "WebIdentityToken", value: token.text))
    let body = try form.send(cancellation) { body in
      let problem = XMLElements(body)
      let words = [problem["Code"], problem["Message"]].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
    let values = XMLElements(body)
    guard let key = values["AccessKeyId"], let secret = values["SecretAccessKey"],
      let session = values["SessionToken"], [key, secret, session].allSatisfy(\.isCredential),
      let expiry = values["Expiration"].flatMap(RoleRequest.time)
    else {
      throw TesseraError(
        .retryLater, .invalidResponse, "\(form.url) returned no credentials. Try again later.")
    }
    let document = JSONText.object([
      "Version": .number(1), "AccessKeyId": .string(key), "SecretAccessKey": .string(secret),
      "SessionToken": .string(session),
      "Expiration": .string(FormattedToken(accessToken: "", expiresAt: expiry).utcExpiry),
    ])
    return IssuedCredential(text: document.text, expiresAt: expiry)
  }

  /// Returns the name of the session, which is in the logs of AWS: 2 to 64 of certain characters.
  private static func sessionName(_ username: String?) -> String {
    let others: Set<Character> = ["+", "=", ",", ".", "@", "-", "_"]
    let name = (username ?? "").filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0))
    }.prefix(64)
    return name.count < 2 ? "tessera" : String(name)
  }

  /// Parses a time of ISO 8601, such as 2026-11-27T12:00:00Z.
  private static func time(_ text: String) -> Date? {
    let seconds = text.split(separator: ".").first.map(String.init) ?? text
    return try? Date(seconds.hasSuffix("Z") ? seconds : seconds + "Z", strategy: .iso8601)
  }
}

/// The elements of an XML document that contain text without markup.
///
/// The responses of the Security Token Service have one element of each name.
private struct XMLElements {
  private let text: String

  init(_ bytes: [UInt8]) {
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The text of the first element with a name; nil if there is none, or if it contains markup.
  subscript(name: String) -> String? {
    guard let start = text.firstRange(of: "<\(name)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(name)>")
    else { return nil }
    let found = text[start.upperBound..<end.lowerBound]
    return found.contains { $0 == "<" || $0 == "&" } ? nil : String(found)
  }
}
