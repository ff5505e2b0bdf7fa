// SPDX-License-Identifier: MIT
// A cache document in its own file.

import TesseraEngine
import TesseraPlatform

extension CacheFile: SharedCacheDocument {
  var file: CacheFile { self }

  /// Every write changes the stamp at once.
  var stampLifetime: UInt64 { .max }

  func checkWritable(additionalBytes: Int, within limits: CallLimits) throws(TesseraError) {
    let size = CacheStamp(at: target)?.size ?? 0
    try checkLength(size)
    try checkReplaceable()
    let probe = try TemporaryFile(for: target)
    defer { probe.end() }
    try probe.reserve(Int(clamping: size) + additionalBytes)
  }

  func damaged(_ reason: String) -> TesseraError {
    TesseraError(
      .signIn, .cacheDamaged,
      "\(path) is damaged: \(reason). Sign in again: a sign-in keeps a copy and creates a new cache. Nothing was overwritten."
    )
  }
}
