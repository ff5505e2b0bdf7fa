// SPDX-License-Identifier: MIT
// The documents of a page's accounts as bytes, kept for the next list, and the document of a list.

import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The documents of some accounts, one after the other, with a comma after each.
final class AccountDocuments: Sendable {
  /// What they are made of, piece by piece.
  struct Draft {
    fileprivate var bytes: [UInt8] = []
    fileprivate var ends: [Int] = []

    /// Adds the document of an account.
    mutating func append(_ account: Account) {
      bytes += account.json.bytes
      bytes.append(UInt8(ascii: ","))
      ends.append(bytes.count)
    }

    /// Adds documents that were written before.
    mutating func append(_ other: AccountDocuments, _ range: Range<Int>) {
      guard !range.isEmpty else { return }
      let start = range.lowerBound == 0 ? 0 : other.ends[range.lowerBound - 1]
      let shift = bytes.count - start
      bytes += other.bytes[start..<other.ends[range.upperBound - 1]]
      ends += other.ends[range].map { $0 + shift }
    }
  }

  let bytes: [UInt8]
  /// Where each of them ends.
  private let ends: [Int]

  /// Documents that were put together.
  init(_ draft: Draft) { (bytes, ends) = (draft.bytes, draft.ends) }

  /// The documents of accounts.
  convenience init(_ accounts: [Account]) {
    var draft = Draft()
    for account in accounts { draft.append(account) }
    self.init(draft)
  }
}

extension AccountsAnswer {
  /// The document with the member `accounts`, as a C string for the caller to free; nil when memory ran out.
  ///
  /// Its bytes are copied once, from the pages that have them.
  package var text: UnsafeMutablePointer<CChar>? {
    let head: StaticString = "{\"accounts\":["
    let end: StaticString = "]}"
    let size = pages.reduce(head.utf8CodeUnitCount + 3) { $0 + $1.documents.bytes.count }
    guard let text = malloc(size) else { return nil }
    var count = 0
    func append(_ start: UnsafeRawPointer, _ length: Int) {
      memcpy(text + count, start, length)
      count += length
    }
    append(head.utf8Start, head.utf8CodeUnitCount)
    for page in pages {
      page.documents.bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { append(start, bytes.count) }
      }
    }
    // Nothing comes after the last one.
    if !pages.isEmpty { count -= 1 }
    append(end.utf8Start, 3)
    return text.assumingMemoryBound(to: CChar.self)
  }
}
