// SPDX-License-Identifier: MIT
// The serialized accounts of a page, cached for the next list.

import TesseraWire

/// The serialized JSON of some accounts, each followed by a comma.
final class AccountDocuments: Sendable {
  /// A buffer to which serialized accounts are appended.
  struct Buffer {
    fileprivate var bytes: [UInt8] = []
    fileprivate var ends: [Int] = []

    /// Serializes an account and appends it.
    mutating func append(_ account: Account) {
      bytes += account.json.bytes
      bytes.append(UInt8(ascii: ","))
      ends.append(bytes.count)
    }

    /// Appends accounts that were serialized before.
    mutating func append(_ other: AccountDocuments, _ range: Range<Int>) {
      guard !range.isEmpty else { return }
      let start = range.lowerBound == 0 ? 0 : other.ends[range.lowerBound - 1]
      let shift = bytes.count - start
      bytes += other.bytes[start..<other.ends[range.upperBound - 1]]
      ends += other.ends[range].map { $0 + shift }
    }
  }

  let bytes: [UInt8]
  /// The end offset of each account in `bytes`.
  private let ends: [Int]

  /// Creates a value from a buffer.
  init(_ draft: Buffer) { (bytes, ends) = (draft.bytes, draft.ends) }

  /// Serializes accounts.
  convenience init(_ accounts: [Account]) {
    var draft = Buffer()
    for account in accounts { draft.append(account) }
    self.init(draft)
  }
}
