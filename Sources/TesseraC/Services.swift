// SPDX-License-Identifier: MIT
// The functions of confidential clients.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

#if TesseraServices
  import TesseraServices
#endif

@_cdecl("tessera_application_acquire_token_for_client") @implementation
public func tessera_application_acquire_token_for_client(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraServices
    if CancellationHandle.allowsCall(cancellation),
      let ready = ApplicationHandle.cachedResponse(application, request, .client)
    {
      return CBridge.respond(response, with: ready)
    }
    return CBridge.respond(response) { () throws(TesseraError) -> CallResponse in
      try StackSpace.system.check(.call)
      let handle = try ApplicationHandle.required(application)
      let stop = try CancellationHandle.optional(cancellation)
      let call = try ClientTokenCallWork(request)
      return try handle.pointee.borrowed { application throws(TesseraError) in
        try call.response(of: application, stop)
      }
    }
  #else
    CBridge.respond(response, without: .services)
  #endif
}

@_cdecl("tessera_call_group_acquire_token_for_client") @implementation
public func tessera_call_group_acquire_token_for_client(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraServices
    if let call, CallsHandle.isUsable(calls),
      let ready = ApplicationHandle.cachedResponse(application, request, .client)
    {
      call.pointee = 0
      return CBridge.respond(response, with: ready)
    }
    return CBridge.begin(
      response, calls, application, user_data, call, try ClientTokenCallWork(request))
  #else
    CBridge.respond(response, without: .services)
  #endif
}

#if TesseraServices
  extension ClientTokenRequestMembers: ScopedMembers {}

  extension ClientTokenRequest {
    /// Reads the members of "ClientTokenRequest" of docs/c-interface.md.
    fileprivate init(_ members: ClientTokenRequestMembers) throws(TesseraError) {
      self.init(scopes: try members.requestedScopes())
      authority = try members.authority
      tenant = try members.tenant
      claims = try members.claims
      forcesRefresh = try members.forceRefresh ?? false
      tokenSHA256ToRefresh = try members.tokenSHA256ToRefresh
      extraTokenParameters = try members.extraTokenParameters ?? [:]
      extraQueryParameters = try members.extraQueryParameters ?? [:]
      timeout = try members.timeout
      correlationID = try members.correlationID
      traceparent = try members.traceparent
      tracestate = try members.tracestate
    }
  }

  /// A request for a token of the application.
  private struct ClientTokenCallWork: CallWork {
    private let request: ClientTokenRequest
    /// The bytes of the request, as the key of its cached response.
    private let cacheKey: [UInt8]

    /// Parses "ClientTokenRequest" of docs/c-interface.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      request = try ClientTokenRequest(ClientTokenRequestMembers(text))
      cacheKey =
        text.map { text in ApplicationHandle.withCacheKey(text, .client) { Array($0) } } ?? []
    }

    var serialKey: String? { request.serialKey }

    /// Returns the response document if its result is cached in this process; nil if the store is needed.
    ///
    /// Identical requests then find the document itself.
    func cachedDocument(_ application: PublicClientApplication) -> [UInt8]? {
      guard let silent = ClientTokens(of: application).cachedResult(request) else { return nil }
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
      CallResponse(try ClientTokens(of: application).token(request, progress.cancellation))
    }

    /// Returns the response, and caches its document for identical requests.
    func response(
      of application: PublicClientApplication, _ cancellation: Cancellation?
    ) throws(TesseraError) -> CallResponse {
      let limits = application.limits(request.timeout, cancellation)
      let silent = try ClientTokens(of: application).result(of: request, within: limits)
      let response = CallResponse(silent.result)
      cache(response.document, silent.validity, in: application)
      return response
    }

    /// Caches a document.
    ///
    /// A request with a correlation ID or a trace context is unlikely to be repeated.
    private func cache(
      _ document: [UInt8], _ validity: ResponseValidity?, in application: PublicClientApplication
    ) {
      guard let validity, request.isCacheable, request.correlationID == nil,
        request.traceparent == nil
      else { return }
      cacheKey.withUnsafeBytes {
        ApplicationHandle.cacheResponse(document, validity, for: $0, in: application)
      }
    }
  }
#endif
