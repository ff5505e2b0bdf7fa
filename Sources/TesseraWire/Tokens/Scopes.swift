// SPDX-License-Identifier: MIT
// Scopes and claims requests.

/// A list of scopes without duplicates.
///
/// Comparisons ignore order and case (MSAL for Apple normalizes both sides). The original spelling is kept.
package struct Scopes: Sendable, Hashable {
  /// The scopes in their original order and spelling.
  package let list: [String]
  /// The normalized scopes for comparisons.
  package let normalised: Set<ExactString>

  /// Creates scopes from a list, without blank and repeated ones.
  package init(_ list: some Sequence<String>) {
    var (seen, kept): (Set<ExactString>, [String]) = ([], [])
    seen.reserveCapacity(list.underestimatedCount)
    kept.reserveCapacity(list.underestimatedCount)
    for scope in list {
      let scope = scope.trimmed
      guard !scope.isEmpty, seen.insert(Scopes.normalizedForComparison(scope)).inserted else {
        continue
      }
      kept.append(scope)
    }
    self.list = kept
    normalised = seen
  }

  /// Normalizes a scope: lower case, with one slash before `.default`, where a resource that ends in a slash has two.
  private static func normalizedForComparison(_ scope: String) -> String {
    let scope = scope.normalised
    guard scope.hasSuffix("//.default") else { return scope }
    return scope.dropLast("//.default".utf8.count) + "/.default"
  }

  /// Parses a `scope` parameter, in which spaces separate the scopes (RFC 6749 section 3.3).
  package init(parsing text: String) {
    self.init(Scopes.words(of: text))
  }

  /// The `scope` parameter.
  package var text: String { list.joined(separator: " ") }

  /// Whether there are no scopes.
  package var isEmpty: Bool { list.isEmpty }

  /// The maximum number of scopes in a request or a response.
  ///
  /// Each one costs a row in the store.
  package static let limit = 1000

  /// The scopes that every sign-in requests (OpenID Connect Core 5.4 and 11).
  ///
  /// They belong to no resource.
  package static let reserved = Scopes(["openid", "profile", "offline_access"])

  /// Returns the scopes that the library adds to a request, with or without the one for a refresh token.
  package static func added(requestingRefreshToken: Bool) -> Scopes {
    requestingRefreshToken ? reserved : Scopes(["openid", "profile"])
  }

  /// These scopes without those that the library adds, or `openid` if there are no others and it is one of them.
  package var withoutAddedScopes: Scopes {
    guard intersects(.reserved) else { return self }
    let others = minus(.reserved)
    return others.isEmpty && normalised.contains("openid") ? Scopes(["openid"]) : others
  }

  /// The normalized scopes that a cached token must have, without those that every sign-in is granted.
  ///
  /// Servers do not reliably return `openid`, `profile`, `offline_access` and `email`. MSAL for Apple treats a missing
  /// `email` as granted. Requesting one of these again must not cause a network request.
  package var significant: Set<ExactString> {
    normalised.subtracting(Scopes.insignificant)
  }

  private static let insignificant = reserved.normalised.union(["email"])

  /// Returns these scopes, followed by those of another list that are missing here.
  package func union(_ other: Scopes) -> Scopes {
    Scopes(list + other.list)
  }

  /// Returns these scopes, in their original spelling, without those of another list.
  package func minus(_ other: Scopes) -> Scopes {
    Scopes(list.filter { !other.normalised.contains(Scopes.normalizedForComparison($0)) })
  }

  /// Whether a token with these scopes covers the requested ones.
  package func covers(_ requested: Scopes) -> Bool {
    requested.significant.isSubset(of: normalised)
  }

  /// Whether a cached token with these scopes may be returned for the requested ones.
  ///
  /// A request for `email` alone is for the provider itself, since it names no resource. A token for a resource must
  /// not be returned for it.
  package func satisfy(_ requested: Scopes) -> Bool {
    covers(requested)
      && (!requested.significant.isEmpty || !significant.texts.contains { $0.contains("/") })
  }

  /// Returns these scopes, in their original spelling, without those that were granted.
  package func lacking(in granted: Scopes) -> Scopes {
    let missing = significant.subtracting(granted.normalised)
    return Scopes(list.filter { missing.contains(Scopes.normalizedForComparison($0)) })
  }

  /// Whether a cached token with the scopes of a `scope` parameter may be returned for these ones; see ``satisfy(_:)``.
  package func areSatisfied(by text: String) -> Bool {
    let significant = significant.texts
    if !significant.isEmpty, significant.allSatisfy({ Scopes.hasPlainWord($0, in: text) }) {
      return true
    }
    return Scopes(parsing: text).satisfy(self)
  }

  /// Whether a `scope` parameter has a normalized scope.
  package static func contains(_ scope: String, in text: String) -> Bool {
    hasPlainWord(scope, in: text) || Scopes(parsing: text).normalised.contains(scope)
  }

  /// Returns the scopes of a `scope` parameter without duplicates, in their original order and spelling.
  package static func list(parsing text: String) -> [String] {
    let words = words(of: text)
    // Few short words are compared faster than they are hashed.
    guard words.count <= 8 else { return Scopes(words).list }
    var (list, seen): ([String], [String]) = ([], [])
    for word in words {
      let word = word.trimmed
      let normalised = normalizedForComparison(word)
      guard !word.isEmpty, !seen.contains(normalised) else { continue }
      list.append(word)
      seen.append(normalised)
    }
    return list
  }

  /// Whether a text has a normalized scope as it is, which is usual.
  ///
  /// The result is false also for a text that has it in another spelling.
  private static func hasPlainWord(_ scope: String, in text: String) -> Bool {
    // Two slashes are compared like one, but only in a scope that is not normalized yet.
    guard !scope.isEmpty, !scope.hasSuffix("//.default") else { return false }
    var (scope, text) = (scope, text)
    return scope.withUTF8 { scope in
      text.withUTF8 { text in
        let (scope, text) = (UnsafeRawBufferPointer(scope), UnsafeRawBufferPointer(text))
        var start = 0
        while start < text.count {
          let end = text.firstIndex(of: UInt8(ascii: " "), from: start) ?? text.count
          if UnsafeRawBufferPointer(rebasing: text[start..<end]).isSame(as: scope) { return true }
          start = end + 1
        }
        return false
      }
    }
  }

  /// Returns the parts of a text between spaces, without empty ones.
  private static func words(of text: String) -> [String] {
    var (words, text): ([String], String) = ([], text)
    text.withUTF8 { text in
      let text = UnsafeRawBufferPointer(text)
      var start = 0
      while start < text.count {
        let end = text.firstIndex(of: UInt8(ascii: " "), from: start) ?? text.count
        if end > start { words.append(String(decoding: text[start..<end], as: UTF8.self)) }
        start = end + 1
      }
    }
    return words
  }

  /// Whether the two lists have a scope in common.
  package func intersects(_ other: Scopes) -> Bool {
    !normalised.isDisjoint(with: other.normalised)
  }

  /// Returns the requested scopes that these granted scopes contain in a different spelling.
  ///
  /// A server replaces `/.default` with the individual scopes, and may add or remove the resource before a scope. A
  /// token must be stored with the requested spelling too. Otherwise later requests would miss it in the cache.
  package func equivalents(_ requested: Scopes) -> Scopes {
    guard !isEmpty else { return Scopes([]) }
    let short = Set(texts: normalised.texts.map(Scopes.withoutResource))
    return Scopes(
      requested.lacking(in: self).list.filter { scope in
        let scope = Scopes.normalizedForComparison(scope)
        if scope.hasSuffix("/.default") { return true }
        let name = Scopes.withoutResource(scope)
        return name == scope ? short.contains(name) : normalised.contains(name)
      })
  }

  /// Returns the last part of a scope such as `https://graph.microsoft.com/user.read`.
  private static func withoutResource(_ scope: String) -> String {
    guard scope.contains("://"), let slash = scope.lastIndex(of: "/") else { return scope }
    return String(scope[scope.index(after: slash)...])
  }

  /// Returns the scope for all permissions of the application at a resource.
  ///
  /// `/.default` is appended unchanged. A resource that ends in a slash gets a double slash, which the server requires
  /// (MSAL for Apple, migration guide).
  package static func defaultScope(at resource: String) -> String {
    resource + "/.default"
  }
}

/// The `claims` request parameter.
package enum ClaimsRequest {
  /// The top-level members (OpenID Connect Core 5.5, and Entra's `access_token`).
  private static let targets = ["id_token", "access_token", "userinfo"]

  /// Parses and normalizes a `claims` parameter.
  ///
  /// - Parameter onlyKnownTargets: Whether to reject top-level members that Entra does not support. Other servers may
  ///   support more.
  /// - Throws: ``WireError`` `claims_invalid` if the text is not a JSON object, or has a rejected member.
  package static func object(
    _ text: String, onlyKnownTargets: Bool = true
  ) throws(WireError) -> JSONObject {
    guard var object = (try? JSONValue(parsing: text))?.object else {
      throw WireError("claims_invalid", "claims is not a JSON object.")
    }
    for member in object.members {
      guard !onlyKnownTargets || targets.contains(member.name) else {
        throw WireError(
          "claims_invalid",
          "claims has the unknown target \"\(member.name.plain(atMost: 100))\": use \(targets.joined(separator: ", "))."
        )
      }
      guard var claims = member.value.object else { continue }
      for claim in claims.members { claims[claim.name] = withBooleanEssential(claim.value) }
      object[member.name] = .object(claims)
    }
    return object
  }

  /// Replaces a number in `essential` with a boolean, as MSAL for Apple does.
  private static func withBooleanEssential(_ claim: JSONValue) -> JSONValue {
    guard var members = claim.object, let number = members["essential"]?.integer else {
      return claim
    }
    members["essential"] = .bool(number != 0)
    return .object(members)
  }

  /// Whether the text requests any claims.
  ///
  /// An empty object requests none.
  package static func isRequest(_ claims: String?) -> Bool {
    parameter(claims, capabilities: []) != nil
  }

  /// Returns the parameter with the client capabilities merged into it; nil if it requests nothing.
  ///
  /// Text that needs no change is returned unchanged.
  package static func parameter(_ claims: String?, capabilities: [String]) -> String? {
    let requested = claims.flatMap { try? JSONValue(parsing: $0) }?.object
    let normalized = claims.flatMap { try? object($0, onlyKnownTargets: false) } ?? JSONObject()
    guard !capabilities.isEmpty else {
      guard let claims, !normalized.members.isEmpty else { return nil }
      return requested == normalized ? claims : JSONValue.object(normalized).serialized
    }
    var merged = normalized
    var accessToken = merged["access_token"]?.object ?? JSONObject()
    accessToken["xms_cc"] = ["values": .array(capabilities.map(JSONValue.string))]
    merged["access_token"] = .object(accessToken)
    return JSONValue.object(merged).serialized
  }
}
