// SPDX-License-Identifier: MIT
// The search for a user's tokens among those of older libraries.

import TesseraCache
import TesseraWire

/// A search with the user names that it covers.
struct LegacyNameSearch {
  var search: LegacySearch
  var names: Set<ExactString>

  /// Returns the same search, restricted to one user name.
  func under(_ name: String) -> LegacyNameSearch {
    LegacyNameSearch(search: search, names: [ExactString(name)])
  }
}
