// SPDX-License-Identifier: MIT
// The decision which location of a known cache is in use, as a pure function of file and item attributes.

import TesseraPlatform

/// The attributes of the locations of one cache, and the decision between them.
///
/// Most owners write either a plain file or an item, depending on their settings and the session. After a switch the other one is
/// left behind. The one that was written last is therefore in use.
struct LocationChoice: Sendable {
  /// The attributes of a file.
  struct File: Sendable, Hashable {
    let size: Int64
    /// The time of the last write, in nanoseconds since 1970.
    let modified: Int64

    /// Whether the file may contain a cache.
    ///
    /// Signal files are empty or have one byte.
    var hasDocument: Bool { size > 1 }
  }

  /// The state of an item.
  enum Item: Sendable, Hashable {
    /// The item was not searched for, or the keyring cannot be used now.
    case unknown
    /// The item does not exist.
    case missing
    /// The item exists, with the time of its last change in seconds since 1970.
    case present(modified: UInt64)

    /// Whether the item exists.
    var isPresent: Bool { if case .present = self { true } else { false } }
  }

  /// The tolerance in seconds by which an item may be older than its signal file.
  ///
  /// The file is touched after the item is written, and Tessera sets its time two seconds ahead.
  private static let clockSkewSeconds: UInt64 = 5

  /// Returns whether an item is used instead of a plain file at the path of its signal file.
  ///
  /// - Parameter file: The file at the path; nil if it does not exist.
  /// - Returns: nil if neither exists.
  static func prefersItem(_ item: Item, over file: File?) -> Bool? {
    switch (item, file) {
    case (.present, nil): return true
    case (.present(let modified), let file?):
      // Touching a file preserves its earlier content, so an item that is about as new as the file is the current one.
      let touched = UInt64(clamping: file.modified / 1_000_000_000)
      return !file.hasDocument || modified >= touched || touched &- modified <= clockSkewSeconds
    case (.unknown, let file?): return !file.hasDocument
    case (.missing, let file?): return file.hasDocument ? false : nil
    case (_, nil): return nil
    }
  }

  /// Returns the index of the file that was written last, the first of equally new ones; nil if there is none.
  static func newest(_ files: [File?]) -> Int? {
    var newest: (index: Int, modified: Int64)?
    for (index, file) in files.enumerated() {
      guard let file, file.modified > newest?.modified ?? .min else { continue }
      newest = (index, file.modified)
    }
    return newest?.index
  }
}
