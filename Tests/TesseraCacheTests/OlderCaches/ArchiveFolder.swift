// SPDX-License-Identifier: MIT
// A folder for what tests write, so that another program can be asked whether it reads it.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder that `TESSERA_ARCHIVES` names; without it nothing is kept.
enum ArchiveFolder {
  static func keep(_ bytes: [UInt8], as name: String) {
    guard let folder = getenv("TESSERA_ARCHIVES"),
      let file = fopen("\(String(cString: folder))/\(name)", "w")
    else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
