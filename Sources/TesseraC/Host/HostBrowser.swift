// SPDX-License-Identifier: MIT
// The browser of the host application, as a browser of the engine.

import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// A browser that calls the host's callbacks.
struct HostBrowser: Browser {
  private let callbacks: HostCallbacks
  private let functions: tessera_browser

  init(_ callbacks: HostCallbacks, _ functions: tessera_browser) {
    self.callbacks = callbacks
    self.functions = functions
  }

  func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
    let session = HostBrowserSession(callbacks, functions, request)
    do throws(TesseraError) {
      try session.start()
    } catch {
      session.close()
      throw error
    }
    return session
  }
}

/// One sign-in in the host's browser.
final class HostBrowserSession: BrowserSession {
  private(set) var redirectURI: String
  private let callbacks: HostCallbacks
  private let functions: tessera_browser
  private let request: BrowserRequest
  private let state: HostBrowserState
  private let handle: OpaquePointer
  private var hasStarted = false
  private var isClosed = false

  fileprivate init(
    _ callbacks: HostCallbacks, _ functions: tessera_browser, _ request: BrowserRequest
  ) {
    self.callbacks = callbacks
    self.functions = functions
    self.request = request
    redirectURI = request.redirectURI
    state = HostBrowserState(request, callbacks.callbackGuard)
    handle = BrowserSessionHandle.make(
      state, (), magicNumber: BrowserSessionHandle.magicNumber)
  }

  deinit { close() }

  fileprivate func start() throws(TesseraError) {
    let response = try call { callbacks.call(functions.start, document.serialized, handle) }
    if let response { redirectURI = try response.redirectURI ?? redirectURI }
  }

  /// The document "BrowserRequest".
  private var document: JSONValue {
    var document = JSONObject()
    document["redirect_uri"] = .string(redirectURI)
    document["prefers_ephemeral_web_browser_session"] = .bool(
      request.preferences.prefersEphemeralWebBrowserSession)
    document["timeout_milliseconds"] = .integer(state.millisecondsLeft)
    return .object(document)
  }

  func open(_ page: String) throws(TesseraError) {
    request.prompt?(
      SignInPrompt(url: page, opensBrowser: true, reason: reason, redirectURI: redirectURI))
    _ = try call { callbacks.call(functions.open, page, handle) }
  }

  func next() throws(TesseraError) -> RawAuthorizationResponse {
    let response = try call { callbacks.call(functions.next, handle) }
    guard let response else {
      // The callback also returns when the limits are reached.
      try state.checkLimits()
      throw HostBrowserState.failed("it returned no redirect")
    }
    switch (try response.url, try response.form) {
    case (let url?, nil): return .address(Secret(url))
    case (nil, let form?): return .form(Secret(form))
    default: throw HostBrowserState.invalid("Pass either \"url\", \"form\" or \"error\".")
    }
  }

  func reply(_ reply: BrowserReply) {
    let outcome =
      switch reply {
      case .foreign: "foreign"
      case .success: "success"
      case .failure: "failure"
      }
    var document = JSONObject()
    document["outcome"] = .string(outcome)
    if case .failure(let error) = reply {
      document["message"] = .string(error.message)
    }
    _ = callbacks.call(functions.reply, JSONValue.object(document).serialized, handle)
    state.discardResponse()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if hasStarted { _ = callbacks.call(functions.close, handle) }
    _ = BrowserSessionHandle.free(handle, magicNumber: BrowserSessionHandle.magicNumber)
  }

  /// Runs a callback, and returns its response; nil if it gave none.
  private func call(
    _ callback: () -> Bool
  ) throws(TesseraError) -> BrowserResponseMembers? {
    try state.checkLimits()
    hasStarted = true
    guard callback() else { throw HostBrowserState.failed("the application was freed") }
    return try state.takeResponse()
  }
}

/// The limits of a browser session, and the response of its current callback.
final class HostBrowserState: Sendable {
  private let limits: CallLimits
  private let time = SystemTime()
  private let callbackGuard: CallbackGuard
  private let response = SpinLock<Result<BrowserResponseMembers, TesseraError>?>(nil)

  init(_ request: BrowserRequest, _ callbackGuard: CallbackGuard) {
    limits = CallLimits(timeout: request.timeout, cancellation: request.cancellation, time: time)
    self.callbackGuard = callbackGuard
  }

  /// Whether the host should abort the sign-in.
  var isCancelled: Bool {
    limits.cancellation?.isCancelled == true || limits.nanosecondsLeft(time) == 0
      || callbackGuard.isClosed
  }

  /// The time until the sign-in must end, at least 1: many programs interpret 0 as no timeout.
  var millisecondsLeft: Int64 {
    Int64(clamping: max((limits.nanosecondsLeft(time) ?? .max) / 1_000_000, 1))
  }

  func checkLimits() throws(TesseraError) { try limits.check(time) }

  /// Stores the first response of a callback.
  ///
  /// - Parameter text: A document "BrowserResponse".
  func respond(_ text: UnsafePointer<CChar>?) {
    let parsed: Result<BrowserResponseMembers, TesseraError>
    do throws(TesseraError) {
      parsed = .success(try BrowserResponseMembers(text, "response"))
    } catch {
      parsed = .failure(error)
    }
    response.withLock { $0 = $0 ?? parsed }
  }

  /// Returns the response of the callback that ended; nil if it gave none.
  func takeResponse() throws(TesseraError) -> BrowserResponseMembers? {
    let taken = response.withLock { response in
      defer { response = nil }
      return response
    }
    guard let members = try taken?.get(), let reason = try members.error else {
      return try taken?.get()
    }
    if try members.cancelled == true {
      throw TesseraError(.cancelled, .cancelled, "The user closed the browser.")
    }
    // A browser that was aborted at the limits may report an error of its own.
    try checkLimits()
    throw HostBrowserState.failed(reason.nonBlank ?? "it gave no reason")
  }

  /// Discards a response of a callback that expects none.
  func discardResponse() { response.withLock { $0 = nil } }

  static func failed(_ reason: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .browserUnavailable,
      "The browser of the host application failed: \(reason.withoutParameters.plain(atMost: 500)).")
  }

  static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidMember, message)
  }
}
