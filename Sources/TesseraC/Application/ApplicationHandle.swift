// SPDX-License-Identifier: MIT
// The application behind the C interface, with its cached responses.

import CLibrary
import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// The handle of an application.
typealias ApplicationHandle = Handle<PublicClientApplication, ApplicationHandleData>

/// The kind of a request with cached responses, other than a silent one.
enum RequestKind: UInt8 {
  case client = 0xFA

  /// The counter of its cache hits.
  var counter: ReadKind {
    switch self {
    case .client: .clientToken
    }
  }
}

/// The data of an application handle in addition to the application object.
struct ApplicationHandleData {
  /// The guard of the host's callbacks.
  ///
  /// It is unmanaged, so that a cache hit does not touch its reference count.
  let host: Unmanaged<CallbackGuard>
  /// The clock of the host; nil without one.
  private let clock: Unmanaged<CallbackClock>?

  /// The maximum time for which ``free()`` waits for running callbacks, in milliseconds.
  ///
  /// It is shorter than the documented five seconds, because a thread may wake up late.
  private static let callbackTimeoutMilliseconds: Int64 = 4_800

  init(_ functions: HostCallbacks) {
    host = Unmanaged.passRetained(functions.callbackGuard)
    clock = functions.clock.map { Unmanaged.passRetained($0) }
  }

  /// Closes the callback guard.
  ///
  /// No callback starts afterwards.
  ///
  /// Waits up to five seconds for callbacks that are running on other threads.
  func free() {
    clock?.takeRetainedValue().detach()
    host.takeRetainedValue().close(waiting: ApplicationHandleData.callbackTimeoutMilliseconds)
  }
}

extension Handle where Object == PublicClientApplication, Extra == ApplicationHandleData {
  /// The magic number of an application handle: "TESSAPPL" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_4150_504C }

  /// Returns the application handle at a pointer.
  ///
  /// - Throws: `fixRequest` if the pointer is NULL or is not an application handle.
  static func required(
    _ pointer: OpaquePointer?
  ) throws(TesseraError) -> UnsafeMutablePointer<ApplicationHandle> {
    guard let handle = at(pointer, magicNumber: magicNumber) else {
      throw CBridge.missing("application")
    }
    return handle
  }
}

extension CBridge {
  /// Runs the work of an exported function with an application, and writes its response.
  ///
  /// - Parameters:
  ///   - cancellation: Cancels the work, or NULL. If it was already cancelled, the work does not start.
  ///   - request: Parses the request. It runs after the handles were validated.
  /// - Returns: The status of the work, or `fixRequest` for an invalid handle or request.
  static func respond<Request>(
    _ response: Response, of application: OpaquePointer?,
    stoppedBy cancellation: OpaquePointer?,
    to request: @autoclosure () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> JSONValue
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) -> JSONValue in
      try run(application, cancellation, request, work)
    }
  }

  /// Runs the work of a token request with an application, and writes its result.
  ///
  /// The parameters are as for other work.
  ///
  /// - Returns: `TESSERA_STATUS_SIGN_IN` also for a result with declined scopes.
  static func respond<Request>(
    _ response: Response, of application: OpaquePointer?,
    stoppedBy cancellation: OpaquePointer?,
    to request: @autoclosure () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> TokenResult
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) -> CallResponse in
      CallResponse(try run(application, cancellation, request, work))
    }
  }

  /// Validates the handles, parses the request and runs the work.
  private static func run<Request, Value>(
    _ application: OpaquePointer?, _ cancellation: OpaquePointer?,
    _ request: () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let request = try request()
    if stop?.isCancelled == true { throw .cancelled() }
    return try handle.pointee.borrowed { application throws(TesseraError) in
      try work(application, request, stop)
    }
  }
}

extension Handle where Object == PublicClientApplication, Extra == ApplicationHandleData {
  /// Returns a copy of the cached response to an identical request; nil on a cache miss.
  ///
  /// The caller frees the copy.
  static func cachedResponse(
    _ pointer: OpaquePointer?, _ request: UnsafePointer<CChar>?
  ) -> UnsafeMutablePointer<CChar>? {
    guard let request, let handle = at(pointer, magicNumber: magicNumber) else { return nil }
    return cachedResponse(handle, cacheKey(request), counting: .token)
  }

  /// Returns a copy of the cached response to an identical request of another kind; nil on a cache miss.
  static func cachedResponse(
    _ pointer: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ kind: RequestKind
  ) -> UnsafeMutablePointer<CChar>? {
    guard let request, let handle = at(pointer, magicNumber: magicNumber) else { return nil }
    return withCacheKey(request, kind) { cachedResponse(handle, $0, counting: kind.counter) }
  }

  @inline(__always)
  private static func cachedResponse(
    _ handle: UnsafeMutablePointer<ApplicationHandle>, _ cacheKey: UnsafeRawBufferPointer,
    counting kind: ReadKind
  ) -> UnsafeMutablePointer<CChar>? {
    handle.pointee.borrowed { application in
      let responses = application.responses
      let now = application.cache.clockReading
      // Pass a closure: a method reference would retain the cache.
      if let copy = responses.copy(
        for: cacheKey, at: now, counting: kind, isCurrent: { application.cache.isCurrent($0) })
      {
        return copy
      }
      guard responses.revalidate(for: cacheKey, at: now, { application.cache.revalidated($0) })
      else { return nil }
      return responses.copy(for: cacheKey, at: now, counting: kind) { _ in true }
    }
  }

  /// Returns a copy of the cached account list; nil if it is stale or missing.
  ///
  /// The caller frees the copy.
  static func cachedAccounts(_ pointer: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    at(pointer, magicNumber: magicNumber)?.pointee.borrowed { $0.cachedAccounts?.text }
  }

  /// Caches the response to a request, by the bytes of the request.
  static func cacheResponse(
    _ document: [UInt8], _ validity: ResponseValidity, for cacheKey: UnsafeRawBufferPointer,
    in application: PublicClientApplication
  ) {
    let cache = application.cache
    application.responses.store(document, validity, for: cacheKey, at: cache.clockReading) {
      cache.isRetained($0)
    }
  }

  /// Calls `body` with the key of the cached response to a request of another kind than a silent one.
  ///
  /// The same document may be a request of several kinds. The byte of the kind does not occur in UTF-8.
  static func withCacheKey<Value>(
    _ request: UnsafePointer<CChar>, _ kind: RequestKind,
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let key = cacheKey(request)
    return withUnsafeTemporaryAllocation(byteCount: key.count + 1, alignment: 8) { memory in
      memory.copyMemory(from: key)
      memory[key.count] = kind.rawValue
      return body(UnsafeRawBufferPointer(memory))
    }
  }

  /// Returns the bytes of a request, limited to one byte more than the maximum size of a cache key.
  static func cacheKey(_ request: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: request, count: strnlen(request, ResponseCache.maximumKeySize + 1))
  }
}
