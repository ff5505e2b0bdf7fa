// SPDX-License-Identifier: MIT
// The token caches of Microsoft tools on this machine.

public import TesseraEngine
import TesseraPlatform

/// Returns the known locations of token caches of Microsoft tools on this machine, with their state.
///
/// The function takes no lock, changes nothing, works offline and shows no prompt. A locked keyring is reported as
/// such. To use such a cache, set ``ApplicationConfiguration/store`` to ``StoreConfiguration/msalFile(_:policy:limitMegabytes:)``.
/// docs/interop.md lists the locations.
///
/// - Parameters:
///   - timeout: The timeout of the whole call. By default, a keyring has three seconds to respond, and each file that is
///     being written has one second.
///   - cancellation: Cancels the call from another thread.
/// - Returns: All known locations, including empty ones.
/// - Throws: `fixStorage` (`store_unavailable`) if the environment does not define the user's home directory,
///   `cancelled` after a cancellation, or after the timeout (`deadline_exceeded`).
public func knownCaches(
  timeout: Duration? = nil, cancellation: Cancellation? = nil
) throws(TesseraError) -> [FoundCache] {
  if cancellation?.isCancelled == true { throw .cancelled() }
  let time = SystemTime()
  let limits = CallLimits(timeout: timeout, cancellation: cancellation, time: time)
  let caches = try CacheSurvey(time: time).locate(within: limits)
  // A cancelled wait for a keyring or a file is the state of that cache.
  if cancellation?.isCancelled == true { throw .cancelled() }
  return caches
}
