// SPDX-License-Identifier: MIT
// The corresponding error numbers of MSAL for Apple, for code that is migrated from it.

/// A code of `MSALErrorDomain` and, for `MSALErrorInternal`, an internal code.
struct MSALErrorNumbers: Sendable {
  let code: Int64
  let internalCode: Int64?

  init(_ code: Int64, _ internalCode: Int64? = nil) {
    self.code = code
    self.internalCode = internalCode
  }
}

extension TesseraError {
  /// The `MSALErrorDomain` code and, for `MSALErrorInternal`, the internal code; `nil` if MSAL uses another domain.
  public var msalCode: (code: Int64, internalCode: Int64?)? {
    let errorNames = [suberror, oauthError ?? ""].compactMap { $0?.lowercased() }
    let special = errorNames.lazy.compactMap {
      MSALErrorNumbers.errorNames["\(code.rawValue) \($0)"]
    }.first
    guard let numbers = special ?? MSALErrorNumbers.codes[code] else { return nil }
    return (numbers.code, numbers.internalCode)
  }
}
