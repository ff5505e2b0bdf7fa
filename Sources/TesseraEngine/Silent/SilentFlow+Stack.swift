// SPDX-License-Identifier: MIT
// Silent calls on threads with a stack that is too small for the broker.

import TesseraCache

extension SilentFlow {
  /// Returns the valid cached token if the stack is too small to contact the broker; `nil` if it is large enough.
  ///
  /// - Throws: `stackTooSmall` if there is no valid cached token.
  func validTokenOnSmallStack(
    _ plan: SilentPlan, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    do throws(TesseraError) {
      try context.dependencies.stack.check(.credential)
      return nil
    } catch {
      guard case .refresh(_, let valid, _) = plan else { throw error }
      return try fallBack(on: valid, snapshot, because: error)
    }
  }
}
