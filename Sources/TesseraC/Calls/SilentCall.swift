// SPDX-License-Identifier: MIT
// A silent request from C, with or without an explanation.

import Tessera
import TesseraEngine

/// A silent request, and whether the response includes an explanation.
struct SilentCall: CallWork {
  private let request: SilentRequest
  private let explains: Bool

  /// Parses "SilentRequest" of docs/c-interface.md, with "explain".
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try SilentRequestMembers(text)
    request = try SilentRequest(members.silentOptions)
    explains = try members.explain ?? false
  }

  var serialKey: String? { request.serialKey }

  /// Whether the response may be cached.
  ///
  /// A request with a correlation ID is unlikely to be repeated.
  private var isCacheable: Bool {
    !explains && CachedResults.isCacheable(request) && request.correlationID == nil
  }

  /// Returns the response document if it is cached in this process; nil if the store is needed.
  func cachedDocument(_ application: PublicClientApplication) -> [UInt8]? {
    explains ? nil : application.cachedResult(request)?.jsonBytes
  }

  /// Returns the response.
  ///
  /// The application caches the result that it was serialized from.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    let stop = progress.cancellation
    guard !explains else { return try responseAndValidity(of: application, stop).response }
    return CallResponse(try application.acquireTokenSilent(request, cancellation: stop))
  }

  /// Returns the response and the cache validity of its document.
  ///
  /// The validity is nil if the document must not be cached, as with declined scopes.
  func responseAndValidity(
    of application: PublicClientApplication, _ cancellation: Cancellation?
  ) throws(TesseraError) -> (response: CallResponse, validity: ResponseValidity?) {
    if explains {
      let result = try application.acquireTokenSilentExplained(request, cancellation: cancellation)
      return (CallResponse(result), nil)
    }
    let limits = application.limits(request.timeout, cancellation)
    let silent = try application.silentResult(to: request, within: limits)
    return (CallResponse(silent.result), isCacheable ? silent.validity : nil)
  }
}
