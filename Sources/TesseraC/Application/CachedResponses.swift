// SPDX-License-Identifier: MIT
// Responses to silent requests of C programs in the response cache of the application, keyed by the bytes of the request.

import CLibrary
import TesseraEngine

extension Handle where Object == PublicClientApplication, Extra == ApplicationHandleData {
  /// Returns a copy of the cached response to an identical request; nil on a cache miss.
  ///
  /// The caller frees the copy.
  static func cachedResponse(
    _ pointer: OpaquePointer?, _ request: UnsafePointer<CChar>?
  ) -> UnsafeMutablePointer<CChar>? {
    guard let request, let handle = at(pointer, magicNumber: magicNumber) else { return nil }
    let cacheKey = cacheKey(request)
    return handle.pointee.borrowed { application in
      let responses = application.responses
      let now = application.cache.clockReading
      // Pass a closure: a method reference would retain the cache.
      if let copy = responses.copy(
        for: cacheKey, at: now, isCurrent: { application.cache.isCurrent($0) })
      {
        return copy
      }
      guard responses.revalidate(for: cacheKey, at: now, { application.cache.revalidated($0) })
      else { return nil }
      return responses.copy(for: cacheKey, at: now) { _ in true }
    }
  }

  /// Returns a copy of the cached account list; nil if it is stale or missing.
  ///
  /// The caller frees the copy.
  static func cachedAccounts(_ pointer: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    at(pointer, magicNumber: magicNumber)?.pointee.borrowed { $0.cachedAccounts?.text }
  }

  /// Caches the response to a request, unless it has no validity.
  func cacheResponse(
    _ document: [UInt8], _ validity: ResponseValidity?, to request: UnsafePointer<CChar>
  ) {
    guard let validity else { return }
    let cacheKey = Handle.cacheKey(request)
    borrowed { application in
      application.responses.store(
        document, validity, for: cacheKey, at: application.cache.clockReading
      ) { application.cache.isRetained($0) }
    }
  }

  /// Returns the bytes of a request, limited to one byte more than the maximum size of a cache key.
  private static func cacheKey(_ request: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: request, count: strnlen(request, ResponseCache.maximumKeySize + 1))
  }
}
