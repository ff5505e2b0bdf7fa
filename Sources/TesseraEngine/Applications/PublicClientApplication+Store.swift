// SPDX-License-Identifier: MIT
// The store, described.

extension PublicClientApplication {
  /// What the store is like now: where it lies, what protects it, what was tried for its key and why that failed.
  ///
  /// Makes and changes nothing, and asks no server. It waits ten seconds at most for a store that another process holds,
  /// and three for each source of its key. What is wrong is told in ``StoreInfo/problem``, as a call would report it.
  ///
  /// - Parameter timeoutMilliseconds: how long all of that may take; nil for these times.
  /// - Returns: the store as it is, or as the first sign-in would make it.
  public func storeInfo(timeoutMilliseconds: Int64? = nil) -> StoreInfo {
    surroundings.store.info(configuration.storagePolicy, within: limits(timeoutMilliseconds))
  }
}
