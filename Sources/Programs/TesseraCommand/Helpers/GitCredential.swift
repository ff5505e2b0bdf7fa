// SPDX-License-Identifier: MIT
// The protocol of Git's credential helpers (gitcredentials(7), git-credential(1)).

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request of Git.
struct GitRequest {
  /// The service; nil if Git did not name one.
  let address: ServiceAddress?
  /// The user name that Git has already, such as that of the remote's URL.
  let username: String?
  /// Whether Git can send a token by Bearer authentication (Git 2.46).
  let supportsBearer: Bool

  /// The error of a request that Git does not send.
  struct Invalid: Error {}

  /// Parses the lines `key=value`, up to an empty line or the end.
  ///
  /// Keys that the helper does not need are ignored.
  ///
  /// - Throws: ``Invalid`` for control characters, repeated keys and invalid addresses.
  init(parsing bytes: [UInt8]) throws(Invalid) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Invalid() }
    var values: [String: String] = [:]
    var capabilities: Set<String> = []
    // Splitting the scalars keeps a carriage return apart from the newline.
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { break }
      guard let end = line.firstIndex(of: "="),
        line.allSatisfy({ $0 >= " " && $0 != "\u{7F}" })
      else { throw Invalid() }
      let key = String(line[..<end])
      let value = String(line[line.index(after: end)...])
      if key.hasSuffix("[]") {
        if key == "capability[]" { capabilities.insert(value) }
        continue
      }
      guard values.updateValue(value, forKey: key) == nil else { throw Invalid() }
    }
    // The key url would replace the protocol and the host.
    guard values["url"] == nil else { throw Invalid() }
    username = values["username"]
    supportsBearer = capabilities.contains("authtype")
    guard let scheme = values["protocol"], let host = values["host"] else {
      address = nil
      return
    }
    do throws(AddressError) {
      address = try ServiceAddress(scheme: scheme, authority: host, path: values["path"] ?? "")
    } catch {
      throw Invalid()
    }
  }

  /// Returns the response with a token.
  ///
  /// - Parameter login: The user name of Basic authentication; nil for Bearer authentication if Git supports it.
  func response(token: String, expiresAt: Date, login: String?) -> [String] {
    let expiry = "password_expiry_utc=\(expiresAt.secondsSince1970)"
    if supportsBearer && login == nil {
      return [
        "capability[]=authtype", "authtype=Bearer", "credential=\(token)", expiry, "ephemeral=1",
      ]
    }
    return ["username=\(username ?? login ?? "oauth2")", "password=\(token)", expiry]
  }
}
