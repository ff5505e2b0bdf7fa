// SPDX-License-Identifier: MIT
// The client of D-Bus as it was found on this machine.

import CTesseraSystem
import TesseraEngine

/// The functions of a loaded library; they never change, and any thread may use them.
final class BusLibrary: @unchecked Sendable {
  /// systemd's library, and those that have the same functions where there is no systemd.
  static let names = ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"]

  /// What the functions of the shim take as their first argument.
  let functions: OpaquePointer

  /// Loads the first library that there is.
  init(names: [String] = BusLibrary.names) throws(BusFailure) {
    var problems: [String] = []
    for name in names {
      var problem = [CChar](repeating: 0, count: 256)
      if let functions = ctessera_bus_load(name, &problem, problem.count) {
        self.functions = functions
        return
      }
      problems.append(String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    // It says nothing about the source, and must not lead to a weaker one.
    guard OpenDescriptors.isOneLeft else {
      throw .ended(.tooManyFiles(names.first ?? "libsystemd"))
    }
    throw .libraryMissing(problems.joined(separator: "; "))
  }

  deinit {
    ctessera_bus_unload(functions)
  }
}
