// SPDX-License-Identifier: MIT
// Cache of one write transaction: decrypted records and hashes.

import TesseraCache
import TesseraWire

/// A cache for the duration of a write transaction, because a commit accesses the same rows and names several times.
final class RowMemory {
  private var records: [Int64: CacheRecord] = [:]
  private var numbers: [ExactString: Int64] = [:]
  private var scopes: [ExactString: Scopes] = [:]

  /// The cached record of a row; nil if the row was not read yet.
  subscript(row: Int64) -> CacheRecord? {
    get { records[row] }
    set { records[row] = newValue }
  }

  /// Evicts all records, because their rows were deleted.
  func evictRecords() { records = [:] }

  /// Returns the hash of a text.
  func number(of text: String) -> Int64 {
    if let number = numbers[text] { return number }
    let number = RecordKey.number(of: text)
    numbers[text] = number
    return number
  }

  /// Returns the parsed scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes {
    let target = token.target ?? ""
    if let known = scopes[target] { return known }
    let parsed = token.scopes
    scopes[target] = parsed
    return parsed
  }
}
