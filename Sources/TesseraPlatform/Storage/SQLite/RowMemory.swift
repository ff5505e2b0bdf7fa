// SPDX-License-Identifier: MIT
// What one transaction has worked out already: records of rows that it opened, and hashes.

import TesseraCache
import TesseraWire

/// What a write transaction remembers until it ends: a commit meets the same rows and the same names several times.
final class RowMemory {
  private var records: [Int64: CacheRecord] = [:]
  private var numbers: [String: Int64] = [:]
  private var scopes: [String: Scopes] = [:]

  /// The record in a row that was opened, as it is there now; nil for one that was not.
  subscript(row: Int64) -> CacheRecord? {
    get { records[row] }
    set { records[row] = newValue }
  }

  /// Forgets the records: their rows are gone.
  func forgetRecords() { records = [:] }

  /// The hash of a text.
  func number(of text: String) -> Int64 {
    if let number = numbers[text] { return number }
    let number = RecordKey.number(of: text)
    numbers[text] = number
    return number
  }

  /// The scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes {
    let target = token.target ?? ""
    if let known = scopes[target] { return known }
    let parsed = token.scopes
    scopes[target] = parsed
    return parsed
  }
}
