// SPDX-License-Identifier: MIT
// The functions for tokens.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

@_cdecl("tessera_application_acquire_token_silent") @implementation
public func tessera_application_acquire_token_silent(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  if CancellationHandle.allowsCall(cancellation),
    let ready = ApplicationHandle.cachedResponse(application, request)
  {
    return CBridge.respond(response, with: ready)
  }
  return CBridge.respond(response) { () throws(TesseraError) -> CallResponse in
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let silent = try SilentCall(request)
    return try handle.pointee.borrowed { application throws(TesseraError) in
      try silent.response(of: application, stop)
    }
  }
}

@_cdecl("tessera_application_explain") @implementation
public func tessera_application_explain(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try SilentRequest(explaining: request)
  ) { application, silent, stop throws(TesseraError) in
    let limits = application.limits(silent.timeout, stop)
    return try application.explain(silent, within: limits).json
  }
}

@_cdecl("tessera_application_acquire_token_by_device_code") @implementation
public func tessera_application_acquire_token_by_device_code(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ prompt: tessera_device_code_callback?, _ userData: UnsafeMutableRawPointer?,
  _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try DeviceCodeRequest(request)
  ) { application, deviceCode, stop throws(TesseraError) -> TokenResult in
    guard let prompt else { throw CBridge.missing("prompt") }
    return try application.acquireTokenByDeviceCode(deviceCode, cancellation: stop) { shown in
      shown.json.serialized.withCString { prompt(userData, $0) }
    }
  }
}

extension CBridge {
  /// Writes a cached response, or frees it if the output parameter is NULL.
  static func respond(
    _ response: Response, with ready: UnsafeMutablePointer<CChar>
  ) -> tessera_status {
    guard let response else {
      free(ready)
      return tessera_status(TesseraError.Remedy.fixRequest.rawValue)
    }
    response.pointee = ready
    return tessera_status(TESSERA_STATUS_OK)
  }
}

@_cdecl("tessera_application_get_access_token") @implementation
public func tessera_application_get_access_token(
  _ application: OpaquePointer?, _ scope: UnsafePointer<CChar>?,
  _ username: UnsafePointer<CChar>?, _ timeout_milliseconds: Int64, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> CallResponse in
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let scope = try CBridge.text(scope, "scope")
    let username = username == nil ? nil : try CBridge.text(username, "username")
    let timeout = timeout_milliseconds < 0 ? nil : Duration.milliseconds(timeout_milliseconds)
    return try handle.pointee.borrowed { application throws(TesseraError) in
      let limits = application.limits(timeout, stop)
      let result = try application.token(scope: scope, username: username, within: limits)
      // The plain token could not name the declined scopes.
      guard result.declinedScopes.isEmpty else { return CallResponse(result) }
      return CallResponse(Array(result.accessToken.reveal().utf8))
    }
  }
}

@_cdecl("tessera_application_acquire_token_interactive") @implementation
public func tessera_application_acquire_token_interactive(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ prompt: tessera_sign_in_callback?, _ userData: UnsafeMutableRawPointer?,
  _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try InteractiveRequest(request)
  ) { application, interactive, stop throws(TesseraError) -> TokenResult in
    let show = prompt.map { prompt in
      { (shown: SignInPrompt) in shown.json.serialized.withCString { prompt(userData, $0) } }
    }
    return try application.acquireTokenInteractive(interactive, cancellation: stop, prompt: show)
  }
}

@_cdecl("tessera_call_group_acquire_token_silent") @implementation
public func tessera_call_group_acquire_token_silent(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  if let call, CallsHandle.isUsable(calls),
    let ready = ApplicationHandle.cachedResponse(application, request)
  {
    call.pointee = 0
    return CBridge.respond(response, with: ready)
  }
  return CBridge.begin(response, calls, application, user_data, call, try SilentCall(request))
}

@_cdecl("tessera_call_group_acquire_token_by_device_code") @implementation
public func tessera_call_group_acquire_token_by_device_code(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(response, calls, application, user_data, call, try DeviceCodeRequest(request))
}

@_cdecl("tessera_call_group_acquire_token_interactive") @implementation
public func tessera_call_group_acquire_token_interactive(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(response, calls, application, user_data, call, try InteractiveCall(request))
}

extension DeviceCodeRequest: CallWork {
  static var waitsForUser: Bool { true }

  /// Returns the response.
  ///
  /// The device code is added to the queue as a prompt.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    CallResponse(
      try application.acquireTokenByDeviceCode(self, cancellation: progress.cancellation) {
        progress.sendPrompt($0.json.bytes)
      })
  }
}

/// A silent request, and whether the response includes an explanation.
struct SilentCall: CallWork {
  private let request: SilentRequest
  private let explains: Bool
  /// The bytes of the request, as the key of its cached response.
  private let cacheKey: [UInt8]

  /// Parses "SilentRequest" of docs/c-interface.md, with "explain".
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try SilentRequestMembers(text)
    request = try SilentRequest(members.silentOptions)
    explains = try members.explain ?? false
    cacheKey = text.map { Array(ApplicationHandle.cacheKey($0)) } ?? []
  }

  var serialKey: String? { request.serialKey }

  /// Whether the response may be cached.
  ///
  /// A request with a correlation ID or a trace context is unlikely to be repeated.
  private var isCacheable: Bool {
    !explains && CachedResults.isCacheable(request) && request.correlationID == nil
      && request.traceparent == nil && request.tracestate == nil
  }

  /// Returns the response document if its result is cached in this process; nil if the store is needed.
  ///
  /// Identical requests then find the document itself.
  func cachedDocument(_ application: PublicClientApplication) -> [UInt8]? {
    guard !explains, let silent = application.context.results.result(for: request) else {
      return nil
    }
    let document = silent.result.jsonBytes
    cache(document, silent.validity, in: application)
    return document
  }

  /// Returns the response.
  ///
  /// The application caches the result that it was serialized from.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    let stop = progress.cancellation
    guard !explains else { return try response(of: application, stop) }
    return CallResponse(try application.acquireTokenSilent(request, cancellation: stop))
  }

  /// Returns the response, and caches its document for identical requests.
  func response(
    of application: PublicClientApplication, _ cancellation: Cancellation?
  ) throws(TesseraError) -> CallResponse {
    if explains {
      return CallResponse(
        try application.acquireTokenSilentExplained(request, cancellation: cancellation))
    }
    let limits = application.limits(request.timeout, cancellation)
    let silent = try application.silentResult(to: request, within: limits)
    let response = CallResponse(silent.result)
    cache(response.document, silent.validity, in: application)
    return response
  }

  /// Caches a document.
  ///
  /// Does nothing if the validity is nil, as with declined scopes.
  private func cache(
    _ document: [UInt8], _ validity: ResponseValidity?, in application: PublicClientApplication
  ) {
    guard let validity, isCacheable else { return }
    cacheKey.withUnsafeBytes {
      ApplicationHandle.cacheResponse(document, validity, for: $0, in: application)
    }
  }
}

/// An interactive request in a browser, and whether the host receives the sign-in address.
struct InteractiveCall: CallWork {
  static var waitsForUser: Bool { true }

  private let request: InteractiveRequest
  private let showsAddress: Bool

  /// Parses "InteractiveRequest" of docs/c-interface.md, with "shows_address".
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try InteractiveCallRequestMembers(text)
    request = try InteractiveRequest(members.interactiveRequest)
    showsAddress = try members.showsAddress ?? true
  }

  /// Returns the response document if it is cached in this process; nil if the store or the user is needed.
  func cachedDocument(_ application: PublicClientApplication) -> [UInt8]? {
    application.cachedResult(request)?.jsonBytes
  }

  /// Returns the response.
  ///
  /// The address of the sign-in page is added to the queue as a prompt.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    let show = { (prompt: SignInPrompt) in progress.sendPrompt(prompt.json.bytes) }
    return CallResponse(
      try application.acquireTokenInteractive(
        request, cancellation: progress.cancellation, prompt: showsAddress ? show : nil))
  }
}
