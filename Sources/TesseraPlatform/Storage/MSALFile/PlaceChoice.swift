// SPDX-License-Identifier: MIT
// Which of the places of a known cache is the one in use; decided from what was found, without looking again.

/// What was found in the places of one cache, and which of them is used.
///
/// Most owners write a plain file or an item, as they are set up and as the session allows, and leave the other one
/// behind when that changes. So the one that was written last counts.
struct PlaceChoice: Sendable {
  /// A file as it was found.
  struct File: Sendable, Hashable {
    let size: Int64
    /// When it was last written, in nanoseconds since 1970.
    let modified: Int64

    /// Whether a cache can be in it: what others only touch is empty, or has one byte.
    var hasDocument: Bool { size > 1 }
  }

  /// An item as it was found.
  enum Item: Sendable, Hashable {
    /// It was not looked for, or the keyring cannot be used now.
    case unknown
    /// There is none.
    case missing
    /// It was last changed so many seconds after 1970.
    case present(modified: UInt64)

    /// Whether there is one.
    var isPresent: Bool { if case .present = self { true } else { false } }
  }

  /// Seconds by which an item may be older than the touch of its file: the file is touched afterwards, and Tessera sets its
  /// time two seconds ahead.
  private static let slack: UInt64 = 5

  /// Whether an item is used rather than a plain file at the path that is touched for it.
  ///
  /// - Parameter file: what is at the path; nil for nothing.
  /// - Returns: nil if there is neither.
  static func prefersItem(_ item: Item, over file: File?) -> Bool? {
    switch (item, file) {
    case (.present, nil): return true
    case (.present(let modified), let file?):
      // A touch leaves what was in the file before: an item that is as new is what was meant.
      let touched = UInt64(clamping: file.modified / 1_000_000_000)
      return !file.hasDocument || modified >= touched || touched &- modified <= slack
    case (.unknown, let file?): return !file.hasDocument
    case (.missing, let file?): return file.hasDocument ? false : nil
    case (_, nil): return nil
    }
  }

  /// Which of some paths was written last; the first of those that are equally new, nil if there is none.
  static func newest(_ files: [File?]) -> Int? {
    var newest: (index: Int, modified: Int64)?
    for (index, file) in files.enumerated() {
      guard let file, file.modified > newest?.modified ?? .min else { continue }
      newest = (index, file.modified)
    }
    return newest?.index
  }
}
