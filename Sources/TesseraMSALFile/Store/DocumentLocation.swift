// SPDX-License-Identifier: MIT
// The location of a unified cache document.

import TesseraPlatform

/// The location of a unified cache document: a file, or an item of the Secret Service.
enum DocumentLocation: Sendable, Hashable {
  /// A file.
  case file(String)
  /// An item.
  ///
  /// Its writers also touch the signal file, so that other processes notice the change.
  case item(KeyringItem, signal: String)

  /// The path of the file with a stamp that changes with each write.
  var signal: String {
    switch self {
    case .file(let path), .item(_, signal: let path): path
    }
  }

  /// The item; nil for a file.
  var item: KeyringItem? {
    if case .item(let item, _) = self { item } else { nil }
  }
}
