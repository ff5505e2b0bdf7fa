// SPDX-License-Identifier: MIT
// The token caches of Microsoft's tools on this machine.

import TesseraPlatform

/// Where the token caches of Microsoft's tools can lie on this machine, and what is there.
///
/// Takes no lock, changes nothing, asks no server and shows no prompt: a keyring that is locked is said to be.
/// What is there is opened with ``ApplicationConfiguration/msalCache``, a file as well as an item of the keyring. "Where
/// the others keep their caches" in docs/interop.md has the table.
///
/// - Parameter timeoutMilliseconds: how long all of that may take; nil for three seconds for a keyring that does not answer,
///   and one for each file that is being written.
/// - Returns: all places of all of them, whether anything is there or not.
/// - Throws: `fixStorage` (`store_unavailable`) when the environment does not say where the person's files lie, `cancelled`
///   (`deadline_exceeded`).
public func knownCaches(timeoutMilliseconds: Int64? = nil) throws(TesseraError) -> [FoundCache] {
  let time = SystemTime()
  let limits = CallLimits(timeoutMilliseconds: timeoutMilliseconds, time: time)
  return try CacheSurvey(time: time).found(within: limits)
}
