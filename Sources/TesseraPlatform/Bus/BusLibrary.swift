// SPDX-License-Identifier: MIT
// The D-Bus client library, loaded at run time.

import CTesseraSystem
import TesseraEngine

/// The functions of a loaded library.
///
/// They are immutable and thread-safe.
package final class BusLibrary: @unchecked Sendable {
  /// The file names of systemd's library, and of libraries with the same interface for systems without systemd.
  package static let names = ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"]

  /// The function table for the C functions of CTesseraSystem.
  let functions: OpaquePointer

  /// Loads the first available library.
  ///
  /// - Throws: `libraryMissing`; `ended` with `tooManyOpenFiles` if no descriptor is left.
  package init(names: [String] = BusLibrary.names) throws(BusFailure) {
    var problems: [String] = []
    for name in names {
      var problem = [CChar](repeating: 0, count: 256)
      if let functions = ctessera_bus_load(name, &problem, problem.count) {
        self.functions = functions
        return
      }
      problems.append(String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    // Without a free descriptor, loading fails although the library may be installed. Throw a different error, so that the caller
    // does not fall back to a weaker source.
    guard DescriptorGuard.canOpenFile else {
      throw .ended(.tooManyFiles(names.first ?? "libsystemd"))
    }
    throw .libraryMissing(problems.joined(separator: "; "))
  }

  deinit {
    ctessera_bus_unload(functions)
  }
}
