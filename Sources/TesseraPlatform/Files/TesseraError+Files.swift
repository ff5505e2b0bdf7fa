// SPDX-License-Identifier: MIT
// Errors of files, with a remedy.

import CLibrary
package import TesseraEngine

extension TesseraError {
  /// Creates the error for a rejected file.
  ///
  /// - Parameter setting: The option that chooses another location.
  init(_ problem: FileError, setting: String = "store.directory") {
    switch problem {
    case .failed(let verb, let path, let code):
      self = .failed(verb, path, code, setting: setting)
    case .unsafe(let path, let reason):
      self.init(
        .fixStorage, .storeUnsafe,
        "\(path) \(reason). Correct its owner and mode (chown, chmod go-w), or choose another \(setting)."
      )
    }
  }

  /// Returns the error for a failed system call.
  ///
  /// - Parameters:
  ///   - verb: The failed operation, such as "open".
  ///   - code: The `errno` value.
  ///   - setting: The option that chooses another location.
  package static func failed(
    _ verb: String, _ path: String, _ code: Int32, setting: String = "store.directory"
  ) -> TesseraError {
    advice(verb, path, code, setting).caused(by: .system(code))
  }

  private static func advice(
    _ verb: String, _ path: String, _ code: Int32, _ setting: String
  ) -> TesseraError {
    if isDescriptorLimit(code) { return .tooManyFiles(path) }
    let reason = String(cString: strerror(code))
    guard [ENOSPC, EDQUOT, EFBIG].contains(code) else {
      return TesseraError(
        .fixStorage, .storeUnavailable,
        "Could not \(verb) \(path): \(reason). Correct its permissions or choose another \(setting)."
      )
    }
    return TesseraError(
      .fixStorage, .storeFull, "Could not \(verb) \(path): \(reason). Free disk space.")
  }
}
