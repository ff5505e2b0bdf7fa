// SPDX-License-Identifier: MIT
// The cached results of the Swift interface: tokens by request, and the list of accounts.

import TesseraCache
import TesseraWire

/// A result of the silent flow, with its validity for the cache.
package struct SilentResult: Sendable {
  /// The result.
  package var result: TokenResult
  /// The validity of the result; `nil` if it must not be cached.
  ///
  /// A time before the interval means that the clock was set back.
  package var validity: ResponseValidity?

  /// Creates a result.
  package init(result: TokenResult, validity: ResponseValidity?) {
    self.result = result
    self.validity = validity
  }
}

/// The results of silent calls by request, and the list of accounts, in the response cache of an application.
package final class CachedResults: Sendable {
  /// The approximate size of a result without its token texts, in bytes.
  private static let resultSize = 1024
  /// The approximate size of an account, in bytes.
  ///
  /// The list of accounts is an entry like others.
  private static let accountSize = 512

  /// The response cache, which is freed with this object.
  let responses = ResponseCache()
  /// The list of accounts that was read last, whether or not it is current.
  private let latest = SpinLock<CachedAccountList?>(nil)
  private let cache: CredentialCache
  private let time: any TimeSource

  /// Creates an empty cache of results from a credential cache.
  init(_ cache: CredentialCache, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  deinit {
    responses.free()
  }

  /// Returns the cached result of a request.
  ///
  /// A stale entry is revalidated. Returns `nil` on a cache miss.
  func result(for request: SilentRequest) -> TokenResult? {
    guard CachedResults.isCacheable(request) else { return nil }
    let content: AnyObject? = request.withCacheKey { key in
      let reading = time.reading
      return responses.object(for: key, at: reading, isCurrent: isCurrent)
        ?? (responses.revalidate(for: key, at: reading, cache.revalidated)
          ? responses.object(for: key, at: reading) { _ in true } : nil)
    }
    return (content as? TokenResult.Content).map(TokenResult.init)
  }

  /// Caches a result.
  ///
  /// Does nothing if the result or the request must not be cached.
  func store(_ result: SilentResult, for request: SilentRequest) {
    guard let validity = result.validity, CachedResults.isCacheable(request) else { return }
    let texts = result.result.accessToken.utf8Count + (result.result.idToken?.utf8Count ?? 0)
    request.withCacheKey { key in
      responses.store(
        (result.result.content, size: texts + CachedResults.resultSize), validity,
        for: key, at: time.reading, isRetained: cache.isRetained)
    }
  }

  /// The cached list of accounts; `nil` if there is none or a commit has changed it.
  var accounts: CachedAccountList? {
    CachedResults.withAccountsKey { key in
      responses.object(for: key, at: .always, isCurrent: isCurrent)
    } as? CachedAccountList
  }

  /// The list of accounts that was read last, as the base of an incremental update; `nil` for none.
  var previousAccountList: CachedAccountList? { latest.withLock { $0 } }

  /// Caches the list of accounts.
  ///
  /// Does nothing if the list has no version.
  func store(_ list: CachedAccountList) {
    guard let version = list.version else { return }
    latest.withLock { $0 = list }
    CachedResults.withAccountsKey { key in
      responses.store(
        (list, size: list.count * CachedResults.accountSize), ResponseValidity(version),
        for: key, at: time.reading, isRetained: cache.isRetained)
    }
  }

  /// Whether the result of a request may be cached.
  package static func isCacheable(_ request: SilentRequest) -> Bool {
    !request.forcesRefresh && request.claims == nil && !request.isForApplication
  }

  private func isCurrent(_ version: StoreVersion) -> Bool { cache.isCurrent(version) }

  /// The key of the list of accounts.
  ///
  /// It differs from the key of every request, which has at most one authority.
  private static func withAccountsKey<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    withUnsafeBytes(
      of: (KeySeparator.authority.rawValue, KeySeparator.authority.rawValue), body)
  }
}

/// The separators between the parts of a key.
///
/// These bytes do not occur in UTF-8.
private enum KeySeparator: UInt8 {
  case account = 0xFC
  case scope = 0xFE
  case authority = 0xFF
  case environment = 0xFD
}

extension SilentRequest {
  /// Calls `body` with the cache key of the request, which is valid only during the call.
  fileprivate func withCacheKey<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    var size = 1 + homeAccountID.utf8.count + 1 + (authority?.utf8.count ?? 0)
    for scope in scopes { size += scope.utf8.count + 1 }
    if let environment { size += environment.utf8.count + 1 }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
      memory[0] = KeySeparator.account.rawValue
      var end = SilentRequest.append(homeAccountID, to: memory, at: 1)
      for scope in scopes {
        memory[end] = KeySeparator.scope.rawValue
        end = SilentRequest.append(scope, to: memory, at: end + 1)
      }
      if let authority {
        memory[end] = KeySeparator.authority.rawValue
        end = SilentRequest.append(authority, to: memory, at: end + 1)
      }
      if let environment {
        memory[end] = KeySeparator.environment.rawValue
        end = SilentRequest.append(environment, to: memory, at: end + 1)
      }
      return body(UnsafeRawBufferPointer(rebasing: memory[..<end]))
    }
  }

  @inline(__always)
  private static func append(
    _ text: String, to memory: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let target = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytes.count])
      target.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return start + bytes.count
    }
  }
}
