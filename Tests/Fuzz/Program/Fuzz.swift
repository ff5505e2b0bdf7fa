// SPDX-License-Identifier: MIT
// The program of `make fuzz`: libFuzzer with the target of the first argument.

import FuzzTargets
import Glibc

/// The main function of libFuzzer (libclang_rt.fuzzer_no_main).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

@main
struct Fuzz {
  /// The selected target, set once at the start.
  private nonisolated(unsafe) static var target: FuzzTarget = { _ in }

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let target = targets.first(where: { $0.name == arguments[1] }) else {
      print(targets.map(\.name).joined(separator: "\n"))
      exit(arguments.count > 1 ? 2 : 0)
    }
    Fuzz.target = target.make()
    // libFuzzer treats every other argument as an option or a directory.
    var count = CommandLine.argc - 1
    var rest = CommandLine.unsafeArgv + 1
    exit(
      runDriver(&count, &rest) { start, length in
        Fuzz.target(FuzzInput(UnsafeBufferPointer(start: start, count: length)))
        return 0
      })
  }
}
