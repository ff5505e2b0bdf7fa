// SPDX-License-Identifier: MIT
// The remaining stack of the calling thread, as reported by the system.

import CTesseraSystem
package import TesseraEngine

extension StackSpace {
  /// The remaining stack of the calling thread.
  ///
  /// Its limits are read once per thread.
  package static let system = StackSpace {
    let left = ctessera_stack_left()
    return left < 0 ? nil : left
  }
}
