// SPDX-License-Identifier: MIT
// Migration of the sign-ins in the cache of an older library.

public import TesseraEngine

extension PublicClientApplication {
  /// Migrates the sign-ins in the cache of an older library.
  ///
  /// Supported are the caches of ADAL for Apple, .NET, Python and Node, of the Azure CLI before 2.30, and of older versions
  /// of MSAL. Works offline: the refresh tokens are stored for their applications, and redeemed by the first silent call
  /// for the account. The older cache is not changed. The migration is idempotent.
  ///
  /// - Parameters:
  ///   - request: The older cache.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: `fixRequest` with code `legacy_cache_invalid` for data that is not such a cache;
  ///   `fixStorage` or `retryLater` if the store could not be written, in which case some accounts may have been stored
  ///   already.
  public func migrate(
    _ request: MigrationRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> MigrationReport {
    try migrate(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Migrates the sign-ins in the cache of an older library, within the limits of a call.
  package func migrate(
    _ request: MigrationRequest, within limits: CallLimits
  ) throws(TesseraError) -> MigrationReport {
    try MigrationFlow(context, request, within: limits).run()
  }
}
