// SPDX-License-Identifier: MIT
// tessera login: sign-in with a browser or a device code.

import ArgumentParser
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

/// Signs a user in.
struct Login: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign in with a browser, or with a device code if no browser is available.",
    usage: "tessera login [<options>]",
    discussion: """
      Examples:
        tessera login --client-id ID --tenant contoso.com --scope User.Read
        tessera login --profile work --client-id ID --scope User.Read
        tessera login --device-code --qr

      The first sign-in stores its options as the profile "default", and --profile stores them as another one. Later \
      commands need no options. In continuous integration (CI is set), --device-code is required.
      """)

  @OptionGroup var application: ApplicationOptions

  @OptionGroup var options: SignInOptions

  @Flag(
    help: ArgumentHelp(
      "Open a browser even if the environment seems to have none.", visibility: .hidden))
  var browser = false

  @Flag(
    help: ArgumentHelp(
      "Sign in in a window of tessera-webview, which is installed separately.",
      visibility: .hidden))
  var webview = false

  @Option(
    help: ArgumentHelp(
      "The absolute path of tessera-webview, if it is not installed with this command.",
      visibility: .hidden))
  var webviewProgram: String?

  @Flag(
    help: ArgumentHelp(
      "Print the URL of the page, and read the redirect URL from standard input.",
      visibility: .hidden))
  var paste = false

  @Flag(help: "Sign in with a device code, which you enter in a browser on any device.")
  var deviceCode = false

  @Flag(help: ArgumentHelp("Also print the URL as a QR code.", visibility: .hidden))
  var qr = false

  @Option(
    help: ArgumentHelp(
      "The time to wait for the user to sign in, such as 90, 5m or 1h.", visibility: .hidden),
    transform: TimeSpan.init(text:))
  var timeout: TimeSpan?

  func validate() throws {
    guard [browser, webview, paste, deviceCode].count(where: \.self) <= 1 else {
      throw ValidationError("Use one of --browser, --webview, --paste and --device-code.")
    }
    guard options.prompt == nil || !deviceCode else {
      throw ValidationError("--prompt requires a browser: remove --device-code.")
    }
    guard options.uiLocales == nil || !deviceCode else {
      throw ValidationError("--ui-locales requires a browser: remove --device-code.")
    }
  }

  func run() throws {
    let target = ProfileTarget(application)
    var application = application
    // The profile is stored after the sign-in.
    if target.isExplicit { application.store.profile = nil }
    try Output.run(
      application, scopes: options.scope, redirectURI: options.redirectURI, timeout: timeout
    ) { app in
      let isAutomatic = !browser && !webview && !paste && !deviceCode
      let availability = BrowserAvailability()
      if isAutomatic, application.broker == .never, availability.reason == "ci" {
        throw TesseraError(
          .fixConfiguration, .browserUnavailable,
          """
          No user can sign in here, because CI is set. Pass --device-code to wait for a user at another device.
          """)
      }
      try app.application.checkStoreIsWritable(timeout: timeout?.duration)
      let result = try signIn(app, isAutomatic ? availability : nil)
      try Output.report(signedIn: result, asJSON: application.json)
      try target.store(app.settings, asJSON: application.json)
    }
  }

  /// Signs in.
  ///
  /// - Parameter availability: Whether a browser is available, if no option selects a way.
  private func signIn(
    _ app: ConfiguredApplication, _ availability: BrowserAvailability?
  ) throws(TesseraError) -> TokenResult {
    guard !deviceCode else { return try signInWithDeviceCode(app) }
    let hasNoBrowser = availability?.opensBrowser == false
    if hasNoBrowser, application.broker == .never {
      Output.printError("No browser here (\(availability?.reason ?? "")). Using a device code.")
      return try signInWithDeviceCode(app)
    }
    var request = try pageRequest(app)
    guard !webview else { return try signIn(app.application, request, prompt: nil) }
    // Without a terminal, the user can paste only if --paste is set.
    let canPaste = paste || (isatty(STDIN_FILENO) == 1 && !hasNoBrowser)
    if canPaste { request.browser.answerDescriptor = STDIN_FILENO }
    var isShown = false
    do throws(TesseraError) {
      guard canPaste || browser else {
        return try signIn(app.application, request, prompt: nil)
      }
      var indicator: WaitingIndicator?
      defer { indicator?.stop() }
      return try signIn(app.application, request) { prompt in
        indicator?.stop()
        indicator = nil
        report(prompt, canPaste: canPaste)
        if !isShown || !canPaste { indicator = waitingIndicator(isFixed: canPaste) }
        isShown = true
      }
    } catch  where error.code == .browserUnavailable && !browser && !isShown {
      let problem = error.browserProblem.map { "\($0)." } ?? error.message
      Output.printError("\(problem) Using a device code.")
      return try signInWithDeviceCode(app)
    }
  }

  /// Returns the request of a sign-in on a page.
  private func pageRequest(_ app: ConfiguredApplication) throws(TesseraError) -> InteractiveRequest
  {
    var request = InteractiveRequest(scopes: try app.scopes())
    request.claims = options.claims
    request.prompt = options.prompt
    request.uiLocales = options.uiLocales
    request.timeout = timeout?.duration
    request.browser.choice = browser ? .open : paste ? .show : .automatic
    if webview {
      request.browser.webviewType = .embedded
      request.browser.webviewProgram = webviewProgram
    }
    return request
  }

  private func waitingIndicator(isFixed: Bool = false) -> WaitingIndicator? {
    guard !application.json else { return nil }
    let end = timeout.map { Date.now.addingTimeInterval(Double($0.seconds)) }
    return WaitingIndicator(until: end, isFixed: isFixed)
  }

  /// Signs in with a browser, a web view or the broker.
  ///
  /// The broker's window belongs to another process. A signal that ends this command therefore cancels the call first.
  private func signIn(
    _ app: PublicClientApplication, _ request: InteractiveRequest,
    prompt: ((SignInPrompt) -> Void)?
  ) throws(TesseraError) -> TokenResult {
    let indicator = prompt == nil ? waitingIndicator() : nil
    defer { indicator?.stop() }
    guard application.broker != .never else {
      return try app.acquireTokenInteractive(request, cancellation: nil, prompt: prompt)
    }
    return try Interruption.cancelling { cancellation throws(TesseraError) in
      try app.acquireTokenInteractive(request, cancellation: cancellation, prompt: prompt)
    }
  }

  private func signInWithDeviceCode(
    _ app: ConfiguredApplication
  ) throws(TesseraError) -> TokenResult {
    var request = DeviceCodeRequest(scopes: try app.scopes())
    request.claims = options.claims
    request.timeout = timeout?.duration
    var indicator: WaitingIndicator?
    defer { indicator?.stop() }
    return try app.application.acquireTokenByDeviceCode(request, cancellation: nil) { prompt in
      if application.json { return Output.printLine(.document(prompt.jsonDocument)) }
      Output.printError("  1. Open   \(prompt.verificationURI)")
      Output.printError("  2. Enter  \(prompt.userCode)", emphasized: prompt.userCode)
      if qr { printQRCode(of: prompt.verificationURIComplete ?? prompt.verificationURI) }
      indicator = WaitingIndicator(until: prompt.expiresAt)
    }
  }

  /// Prints the URL at which the user signs in.
  private func report(_ prompt: SignInPrompt, canPaste: Bool) {
    guard !application.json else { return Output.printLine(.document(prompt.jsonDocument)) }
    if let problem = prompt.problem {
      Output.printError(problem)
      return Output.printError("Paste the URL again.")
    }
    if prompt.opensBrowser {
      Output.printError("Opening a browser. If none opens, open this URL in one:")
    } else {
      Output.printError("Open this URL in any browser:")
    }
    Output.printError("  \(prompt.url)")
    if qr { printQRCode(of: prompt.url) }
    if canPaste {
      Output.printError("If the browser shows a page that does not load, paste its URL here.")
    }
  }

  private func printQRCode(of text: String) {
    guard let code = QRCode(Array(text.utf8)) else {
      return Output.printWarning("The URL is too long for a QR code.")
    }
    Output.printError(lines: code.lines.joined(separator: "\n"))
  }
}
