// SPDX-License-Identifier: MIT
// Whether what comes to a redirect URI with a scheme of a program's own would come here.

package import TesseraEngine

extension SystemBrowser {
  /// Looks whether a program of this desktop opens the redirect URI, where a browser here would have to find one.
  ///
  /// - Throws: `redirectSchemeNotRegistered`.
  package func checkDelivery(
    to redirectURI: String, _ preferences: BrowserPreferences?
  ) throws(TesseraError) {
    guard let scheme = RedirectScheme(of: redirectURI) else { return }
    let facts = facts()
    // A web view sees itself where its page goes.
    guard !facts.isApple, preferences?.webviewType != .embedded else { return }
    if let preferences, preferences.answerDescriptor != nil,
      BrowserSituation(facts, preferences.choice, canShow: true).way != .systemBrowser
    {
      return
    }
    guard SchemeLookup(folders()).opener(of: scheme.name) == nil else { return }
    throw TesseraError(
      .fixConfiguration, .redirectSchemeNotRegistered,
      """
      redirect_uri has the scheme \(scheme.name), which no program of this desktop opens: register it with \
      "tessera register-scheme \(scheme.name)" or a desktop entry with MimeType=x-scheme-handler/\(scheme.name), or use \
      http://localhost.
      """)
  }
}
