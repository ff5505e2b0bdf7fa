// SPDX-License-Identifier: MIT
// The token of an entry: from the cache, by a refresh, or by one sign-in for all concurrent helpers.

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

/// A token for a program.
struct HelperToken {
  /// The access token or the ID token.
  let text: String
  /// The expiry time of this token.
  let expiresAt: Date
  /// The result that contains it.
  let result: TokenResult
}

/// Gets the token of an entry.
struct HelperTokens {
  /// The minimum remaining lifetime of an ID token, in seconds, which is that of an access token.
  private static let minimumLifetime = 300.0

  let entry: HelperEntry
  let environment: Environment

  /// Returns a token.
  ///
  /// - Parameter canPrompt: Whether the program waits for a sign-in.
  func token(canPrompt: Bool) throws(TesseraError) -> HelperToken {
    StandardOutput.checkIsOpen()
    do throws(TesseraError) {
      return try requestedToken(canPrompt: canPrompt)
    } catch {
      StandardOutput.checkIsOpen()
      throw error
    }
  }

  private func requestedToken(canPrompt: Bool) throws(TesseraError) -> HelperToken {
    let application = try PublicClientApplication(try entry.configuration())
    let state = try HelperState(entry, environment)
    let cancellation = CallerMonitor.start()
    do throws(TesseraError) {
      return try silent(application, state, cancellation, renews: state.takeRefusal())
    } catch  where error.remedy == .signIn {
      guard canPrompt, let prompter = SignInPrompter(environment) else { throw signInError(error) }
      return try state.withLock(cancellation) { () throws(TesseraError) in
        try signedIn(application, state, cancellation, prompter)
      }
    }
  }

  /// Returns a token without user interaction.
  private func silent(
    _ application: PublicClientApplication, _ state: HelperState, _ cancellation: Cancellation,
    renews: Bool = false
  ) throws(TesseraError) -> HelperToken {
    var request = SilentRequest(username: entry.username, scopes: entry.scopes)
    request.forcesRefresh = renews
    request.timeout = entry.tool.timeout
    do throws(TesseraError) {
      let token = try token(of: result(of: application, request, state, cancellation))
      // The library renews an access token in time. Its ID token may expire earlier.
      guard entry.token == .id, token.result.source == .cache,
        token.expiresAt.timeIntervalSinceNow < HelperTokens.minimumLifetime
      else { return token }
      request.forcesRefresh = true
      return try renewed(token) { () throws(TesseraError) in
        try self.token(of: result(of: application, request, state, cancellation))
      }
    } catch  where error.code == .ambiguousAccount {
      var error = error
      let names = error.accounts.compactMap(\.username).joined(separator: ", ")
      error.message = """
        Several accounts are signed in for \(entry.url): \(names). Add the service again, and choose one with --username.
        """
      throw error
    } catch  where error.code == .deadlineExceeded {
      let seconds = entry.tool.timeout.components.seconds
      throw TesseraError(
        .retryLater, .networkFailed,
        "The provider did not respond within \(seconds) seconds. Check the network, and try again.")
    }
  }

  /// Returns the result of a request.
  ///
  /// The store finds an account by its identifier without reading the other accounts, so that of the last run is tried first.
  private func result(
    of application: PublicClientApplication, _ request: SilentRequest, _ state: HelperState,
    _ cancellation: Cancellation
  ) throws(TesseraError) -> TokenResult {
    guard let username = entry.username else {
      return try application.acquireTokenSilent(request, cancellation: cancellation)
    }
    if let account = state.account {
      var known = request
      known.homeAccountID = account
      known.username = nil
      do throws(TesseraError) {
        let result = try application.acquireTokenSilent(known, cancellation: cancellation)
        if result.account.username?.lowercased() == username.lowercased() { return result }
      } catch  where [.signIn, .fixRequest].contains(error.remedy) {
        // The record may be damaged, or the account replaced by another one with the same name.
      }
    }
    let result = try application.acquireTokenSilent(request, cancellation: cancellation)
    state.recordAccount(result.account.homeAccountID)
    return result
  }

  /// Returns a renewed token, or the token itself while it is valid.
  private func renewed(
    _ token: HelperToken, _ renew: () throws(TesseraError) -> HelperToken
  ) throws(TesseraError) -> HelperToken {
    do throws(TesseraError) {
      let renewed = try renew()
      if renewed.expiresAt > .now { return renewed }
    } catch {
      if token.expiresAt <= .now { throw error }
    }
    guard token.expiresAt > .now else {
      throw TesseraError(
        .signIn, .interactionRequired, "The provider did not renew the ID token.")
    }
    return token
  }

  private func token(of result: TokenResult) throws(TesseraError) -> HelperToken {
    guard entry.token == .id else {
      return HelperToken(
        text: result.accessToken.reveal(), expiresAt: result.expiresAt, result: result)
    }
    guard let idToken = result.idToken, let expiry = result.idTokenClaims?.date("exp") else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The provider issued no ID token for \(entry.url). Add the scope openid.")
    }
    return HelperToken(
      text: idToken.reveal(), expiresAt: min(expiry, result.expiresAt), result: result)
  }

  /// Signs in, unless another process did so before, or failed within the last minute.
  private func signedIn(
    _ application: PublicClientApplication, _ state: HelperState, _ cancellation: Cancellation,
    _ prompter: SignInPrompter
  ) throws(TesseraError) -> HelperToken {
    do throws(TesseraError) {
      return try silent(application, state, cancellation)
    } catch  where error.remedy == .signIn {
      if let message = state.recentFailure {
        throw TesseraError(.signIn, .interactionRequired, message)
      }
    }
    do throws(TesseraError) {
      let before = try application.accounts(AccountsRequest())
      let result = try prompter.signIn(application, entry, cancellation)
      try checkAccount(of: result, application, before)
      state.removeFailure()
      return try token(of: result)
    } catch {
      // Do not record a failure if the caller ended.
      if !cancellation.isCancelled { state.recordFailure(error.message) }
      throw error
    }
  }

  /// Checks that the account of the entry signed in.
  ///
  /// Another account is signed out again, unless it was signed in before.
  private func checkAccount(
    of result: TokenResult, _ application: PublicClientApplication, _ before: [Account]
  ) throws(TesseraError) {
    guard let username = entry.username,
      result.account.username?.lowercased() != username.lowercased()
    else { return }
    let other = result.account
    let isNew = !before.contains {
      $0.homeAccountID == other.homeAccountID && $0.environment == other.environment
    }
    if isNew { _ = try application.signOut(SignOutRequest(account: other)) }
    throw TesseraError(
      .signIn, .accountNotFound,
      "\(other.username ?? "Another account") signed in instead of \(username). Sign in as \(username)."
    )
  }

  /// Returns the error for a program that does not wait for a sign-in.
  private func signInError(_ error: TesseraError) -> TesseraError {
    var error = error
    error.message = "No account is signed in for \(entry.url). Run \"\(entry.loginCommand)\"."
    return error
  }
}

/// The terminal or the desktop on which a user signs in.
struct SignInPrompter {
  /// The terminal; nil if there is only a desktop.
  private let terminal: Int32?
  private let hasDesktop: Bool

  /// The variables that forbid prompts, with the values that Git and its helpers accept.
  private static let silentVariables = [
    "TESSERA_HELPER_INTERACTIVE", "GIT_TERMINAL_PROMPT", "GCM_INTERACTIVE",
  ]
  private static let silentValues = ["never", "0", "false", "no", "off"]

  /// Opens the controlling terminal; nil if there is neither a terminal nor a desktop.
  init?(_ environment: Environment) {
    let isSilent = SignInPrompter.silentVariables.contains { name in
      environment[name].map { SignInPrompter.silentValues.contains($0.lowercased()) } ?? false
    }
    guard !isSilent, !environment.isCI else { return nil }
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    terminal = descriptor >= 0 ? descriptor : nil
    hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    if terminal == nil && !hasDesktop { return nil }
  }

  /// Signs in with a browser, or with a device code at the terminal.
  func signIn(
    _ application: PublicClientApplication, _ entry: HelperEntry, _ cancellation: Cancellation
  ) throws(TesseraError) -> TokenResult {
    guard hasDesktop else { return try signInWithCode(application, entry, cancellation) }
    do throws(TesseraError) {
      show("Sign in\(account(of: entry)) for \(entry.url) in the browser.")
      var request = InteractiveRequest(scopes: entry.scopes)
      request.loginHint = entry.username
      return try application.acquireTokenInteractive(
        request, cancellation: cancellation, prompt: nil)
    } catch  where error.code == .browserUnavailable && terminal != nil {
      return try signInWithCode(application, entry, cancellation)
    }
  }

  private func signInWithCode(
    _ application: PublicClientApplication, _ entry: HelperEntry, _ cancellation: Cancellation
  ) throws(TesseraError) -> TokenResult {
    try application.acquireTokenByDeviceCode(
      DeviceCodeRequest(scopes: entry.scopes), cancellation: cancellation
    ) { prompt in
      show("Sign in\(account(of: entry)) for \(entry.url). \(prompt.message)")
    }
  }

  private func account(of entry: HelperEntry) -> String {
    entry.username.map { " as \($0)" } ?? ""
  }

  /// Prints a line on the terminal.
  private func show(_ line: String) {
    guard let terminal else { return }
    Array("\(line.plain)\n".utf8).withUnsafeBytes { _ = sendBytes(terminal, $0) }
  }
}
