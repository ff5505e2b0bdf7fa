// SPDX-License-Identifier: MIT
// Scopes as sets: parsed from the wire, compared without regard to order and case, written in order.

/// Scopes in the order in which they were given, without duplicates.
///
/// They compare as sets and without regard to case (MSAL for Apple normalises both sides), but keep their spelling.
package struct Scopes: Sendable, Hashable {
  /// The scopes as they were spelled.
  package let list: [String]
  /// The scopes as they are compared.
  package let normalised: Set<String>

  /// Scopes from a list; blank ones and repetitions are dropped.
  package init(_ list: some Sequence<String>) {
    var seen: Set<String> = []
    self.list = list.map(\.trimmed).filter { scope in
      !scope.isEmpty && seen.insert(Scopes.compared(scope)).inserted
    }
    normalised = seen
  }

  /// A scope as it is compared: in lower case, and with one slash where a resource that ends in a slash has two.
  private static func compared(_ scope: String) -> String {
    let scope = scope.normalised
    guard scope.hasSuffix("//.default") else { return scope }
    return scope.dropLast("//.default".utf8.count) + "/.default"
  }

  /// Scopes from a text on the wire: separated by spaces (RFC 6749 section 3.3).
  package init(parsing text: String) {
    self.init(text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
  }

  /// The text on the wire.
  package var text: String { list.joined(separator: " ") }

  /// Whether there is none.
  package var isEmpty: Bool { list.isEmpty }

  /// More scopes than anybody asks for; each costs a row in the store.
  package static let limit = 1000

  /// Scopes that every sign-in of a user asks for (OpenID Connect Core 5.4 and 11); they name no resource.
  package static let reserved = Scopes(["openid", "profile", "offline_access"])

  /// The scopes that the library adds to a request, with or without the one for a refresh token.
  package static func added(requestingRefreshToken: Bool) -> Scopes {
    requestingRefreshToken ? reserved : Scopes(["openid", "profile"])
  }

  /// Whether these scopes are `openid` alone, which requests an ID token for no resource.
  package var requestsIDTokenOnly: Bool { normalised == ["openid"] }

  /// The scopes that decide whether a cached token serves: without those that every sign-in gets.
  ///
  /// Servers do not reliably echo `openid`, `profile`, `offline_access` and `email`; MSAL for Apple treats a missing
  /// `email` as granted, and asking for one of them again must not cost a request.
  package var significant: Set<String> {
    normalised.subtracting(Scopes.insignificant)
  }

  private static let insignificant = reserved.normalised.union(["email"])

  /// These scopes, then those of another list that are missing.
  package func union(_ other: Scopes) -> Scopes {
    Scopes(list + other.list)
  }

  /// These scopes without some others, in their own spelling.
  package func minus(_ other: Scopes) -> Scopes {
    Scopes(list.filter { !other.normalised.contains(Scopes.compared($0)) })
  }

  /// Whether a token with these scopes serves a request for others.
  package func covers(_ requested: Scopes) -> Bool {
    requested.significant.isSubset(of: normalised)
  }

  /// Whether a cached token with these scopes may be handed out for others.
  ///
  /// Who asks for `email` alone names no resource, which means the provider's own: a token of another one does not serve.
  package func serve(_ requested: Scopes) -> Bool {
    covers(requested)
      && (!requested.significant.isEmpty || !significant.contains { $0.contains("/") })
  }

  /// The scopes that a token with others lacks, in their own spelling.
  package func lacking(in granted: Scopes) -> Scopes {
    let missing = significant.subtracting(granted.normalised)
    return Scopes(list.filter { missing.contains(Scopes.compared($0)) })
  }

  /// Whether there is a scope in common.
  package func intersects(_ other: Scopes) -> Bool {
    !normalised.isDisjoint(with: other.normalised)
  }

  /// What of a request these scopes grant in other words than those of the request.
  ///
  /// `/.default` is answered with the scopes that it stands for, and a scope may come back with its resource in front of it,
  /// or without. A token that is stored without the words of the request would never be found again.
  package func rewording(_ requested: Scopes) -> Scopes {
    guard !isEmpty else { return Scopes([]) }
    let short = Set(normalised.map(Scopes.withoutResource))
    return Scopes(
      requested.lacking(in: self).list.filter { scope in
        let scope = Scopes.compared(scope)
        if scope.hasSuffix("/.default") { return true }
        let name = Scopes.withoutResource(scope)
        return name == scope ? short.contains(name) : normalised.contains(name)
      })
  }

  /// The last part of a scope such as `https://graph.microsoft.com/user.read`.
  private static func withoutResource(_ scope: String) -> String {
    guard scope.contains("://"), let slash = scope.lastIndex(of: "/") else { return scope }
    return String(scope[scope.index(after: slash)...])
  }

  /// The scope that asks for everything an application was granted at a resource.
  ///
  /// `/.default` is appended as it is: a resource that ends in a slash gets two, and the server wants them
  /// (MSAL for Apple, migration guide).
  package static func everything(at resource: String) -> String {
    resource + "/.default"
  }
}
