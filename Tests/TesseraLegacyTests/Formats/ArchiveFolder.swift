// SPDX-License-Identifier: MIT
// A directory for archives that tests write, for verification with another application.

import CLibrary
import TesseraLegacy

/// The directory in `TESSERA_ARCHIVES`.
///
/// If the variable is not set, nothing is written.
enum ArchiveFolder {
  static func keep(_ bytes: [UInt8], as name: String) {
    guard let folder = getenv("TESSERA_ARCHIVES"),
      let file = fopen("\(String(cString: folder))/\(name)", "w")
    else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
