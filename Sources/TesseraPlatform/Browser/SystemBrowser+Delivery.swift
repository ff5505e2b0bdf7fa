// SPDX-License-Identifier: MIT
// A check that the desktop delivers responses to a redirect URI with a custom scheme.

package import TesseraEngine

extension SystemBrowser {
  /// Checks that an application of this desktop is registered for the scheme of the redirect URI, if a browser here needs it.
  ///
  /// - Throws: `redirectSchemeNotRegistered`.
  package func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError) {
    guard let scheme = RedirectScheme(of: redirectURI) else { return }
    let facts = facts()
    // An embedded web view intercepts the redirect itself.
    guard !facts.isApple, preferences?.webviewType != .embedded else { return }
    if let preferences, preferences.answerDescriptor != nil,
      BrowserDecision(facts, preferences.choice, canShow: true).method != .systemBrowser
    {
      return
    }
    guard SchemeLookup(folders()).opener(of: scheme.name) == nil else { return }
    throw TesseraError(
      .fixConfiguration, .redirectSchemeNotRegistered,
      """
      redirect_uri has the scheme \(scheme.name), which no program on this desktop opens. Register the scheme with \
      "tessera scheme register \(scheme.name)" or a desktop entry with MimeType=x-scheme-handler/\(scheme.name), or use \
      http://localhost.
      """)
  }
}
