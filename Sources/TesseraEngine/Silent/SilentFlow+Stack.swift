// SPDX-License-Identifier: MIT
// Silent calls on threads whose stack is too small for the broker.

import TesseraCache

extension SilentFlow {
  /// Returns a token that is still valid if the stack is too small to ask the broker; nil if it is large enough.
  ///
  /// - Throws: `stackTooSmall` without a valid token.
  func answerOnSmallStack(
    _ plan: SilentPlan, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    do throws(TesseraError) {
      try application.surroundings.stack.check(.credential)
      return nil
    } catch {
      guard case .refresh(_, let valid, _) = plan else { throw error }
      return try fallBack(on: valid, snapshot, because: error)
    }
  }
}
