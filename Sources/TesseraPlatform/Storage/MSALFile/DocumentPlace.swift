// SPDX-License-Identifier: MIT
// Where the bytes of a unified cache lie.

/// Where the document of a unified cache lies: in a file, or in an item of the Secret Service.
enum DocumentPlace: Sendable, Hashable {
  /// In a file.
  case file(String)
  /// In an item. Whoever writes it touches a file as well, so that others notice.
  case item(KeyringItem, signal: String)

  /// The file whose stamp tells whether somebody wrote.
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
