// SPDX-License-Identifier: MIT
// Export of sign-ins for an older library.

public import TesseraEngine

extension PublicClientApplication {
  /// Exports the sign-ins of this application for applications that still use ADAL 2.7 or later.
  ///
  /// ADAL finds them by `userId`, which is ``Account/username``. They contain refresh tokens. Store them only where the
  /// older library reads them and no other user can.
  ///
  /// - Parameters:
  ///   - request: The format and the accounts.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: `signIn` with code `account_not_found` if no account is signed in; `fixRequest` with code
  ///   `legacy_cache_invalid` for an unreadable cache of ADAL for macOS, which is never overwritten.
  public func exportSignIns(
    _ request: ExportRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> ExportedSignIns {
    try exportSignIns(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Exports the sign-ins of this application, within the limits of a call.
  package func exportSignIns(
    _ request: ExportRequest, within limits: CallLimits
  ) throws(TesseraError) -> ExportedSignIns {
    try ExportFlow(context: context, request: request, limits: limits).run()
  }
}
