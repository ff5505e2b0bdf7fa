// SPDX-License-Identifier: MIT
// The numbers that MSAL for Apple reports for the same situation, so that migrating code keeps its switches.

/// A code of `MSALErrorDomain` and, inside `MSALErrorInternal`, an internal code.
struct MSALNumbers: Sendable {
  let code: Int64
  let internalCode: Int64?

  init(_ code: Int64, _ internalCode: Int64? = nil) {
    self.code = code
    self.internalCode = internalCode
  }
}

extension TesseraError {
  /// `MSALErrorDomain` code and, inside `MSALErrorInternal`, the internal code; nil where MSAL reports another domain.
  public var msalCode: (code: Int64, internalCode: Int64?)? {
    let words = [suberror, oauthError ?? ""].compactMap { $0?.lowercased() }
    let special = words.lazy.compactMap { MSALNumbers.words["\(code.rawValue) \($0)"] }.first
    guard let numbers = special ?? MSALNumbers.codes[code] else { return nil }
    return (numbers.code, numbers.internalCode)
  }
}
