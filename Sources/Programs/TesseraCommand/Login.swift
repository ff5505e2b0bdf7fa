// SPDX-License-Identifier: MIT
// tessera login: sign-in with a browser or a device code.

import ArgumentParser
import Tessera

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
    abstract: "Sign in with a browser, or with a device code if no browser is available.")

  @OptionGroup var application: ApplicationOptions

  @OptionGroup var options: SignInOptions

  @Flag(help: "Open a browser even if the environment seems to have none.")
  var browser = false

  @Flag(help: "Sign in in a window of tessera-webview, which is installed separately.")
  var webview = false

  @Option(help: "The absolute path of tessera-webview, if it is not installed with this command.")
  var webviewProgram: String?

  @Flag(help: "Print the URL of the page, and read the redirect URL from standard input.")
  var paste = false

  @Flag(help: "Sign in with a device code, which you enter in a browser on any device.")
  var deviceCode = false

  @Option(help: "Seconds to wait for the user to sign in.")
  var timeout: Int64?

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
    try Output.run(application, redirectURI: options.redirectURI, timeout: timeout) { app in
      try app.checkStoreIsWritable(timeout: timeout.map { .seconds($0) })
      try Output.report(signedIn: try signIn(app), asJSON: application.json)
    }
  }

  private func signIn(_ app: PublicClientApplication) throws(TesseraError) -> TokenResult {
    guard !deviceCode else { return try signInWithDeviceCode(app) }
    var request = InteractiveRequest(scopes: options.scope)
    request.claims = options.claims
    request.prompt = options.prompt
    request.uiLocales = options.uiLocales
    request.timeout = timeout.map { .seconds($0) }
    request.browser.choice = browser ? .open : paste ? .show : .automatic
    if webview {
      request.browser.webviewType = .embedded
      request.browser.webviewProgram = webviewProgram
      return try signIn(app, request, prompt: nil)
    }
    // Without a terminal, the user can paste only if --paste is set.
    let canPaste = paste || isatty(STDIN_FILENO) == 1
    if canPaste { request.browser.answerDescriptor = STDIN_FILENO }
    var isShown = false
    do throws(TesseraError) {
      guard canPaste || browser else {
        return try signIn(app, request, prompt: nil)
      }
      return try signIn(app, request) { prompt in
        isShown = true
        report(prompt, canPaste: canPaste)
      }
    } catch  where error.code == .browserUnavailable && !browser && !isShown {
      let problem = error.browserProblem.map { "\($0)." } ?? error.message
      Output.printError("\(problem) Using a device code instead.")
      return try signInWithDeviceCode(app)
    }
  }

  /// Signs in with a browser, a web view or the broker.
  ///
  /// The broker's window belongs to another process. A signal that ends this command therefore cancels the call first.
  private func signIn(
    _ app: PublicClientApplication, _ request: InteractiveRequest,
    prompt: ((SignInPrompt) -> Void)?
  ) throws(TesseraError) -> TokenResult {
    guard application.broker != .never else {
      return try app.acquireTokenInteractive(request, cancellation: nil, prompt: prompt)
    }
    return try Interruption.cancelling { cancellation throws(TesseraError) in
      try app.acquireTokenInteractive(request, cancellation: cancellation, prompt: prompt)
    }
  }

  private func signInWithDeviceCode(_ app: PublicClientApplication) throws(TesseraError)
    -> TokenResult
  {
    var request = DeviceCodeRequest(scopes: options.scope)
    request.claims = options.claims
    request.timeout = timeout.map { .seconds($0) }
    return try app.acquireTokenByDeviceCode(request, cancellation: nil) { prompt in
      if application.json {
        Output.printLine(.document(prompt.jsonDocument))
      } else {
        Output.printError(prompt.message)
      }
    }
  }

  /// Prints the URL at which the user signs in.
  private func report(_ prompt: SignInPrompt, canPaste: Bool) {
    guard !application.json else { return Output.printLine(.document(prompt.jsonDocument)) }
    if let problem = prompt.problem { Output.printError(problem) }
    if prompt.opensBrowser {
      Output.printError("Opening a browser. If none opens, open this URL in one:")
    } else {
      Output.printError("Open this URL in a browser (\(prompt.reason)):")
    }
    Output.printError("  \(prompt.url)")
    if canPaste {
      Output.printError("If the browser shows a page that does not load, paste its URL here.")
    }
  }
}
