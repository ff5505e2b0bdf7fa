// SPDX-License-Identifier: MIT
// The worker in Swift: runs the commands of docs/reliability.md with the public interface.

internal import Tessera

/// The program: `tessera-soak CONFIGURATION`, or `tessera-soak grow DIRECTORY COUNT`.
@main
struct TesseraSoak {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.count, arguments.first) {
    case (3, "grow"):
      try Growing(directory: CommandLine.arguments[2]).run(Int(CommandLine.arguments[3]) ?? 0)
    case (1, let configuration?): try work(configuration)
    default: print("usage: tessera-soak CONFIGURATION | grow DIRECTORY COUNT")
    }
  }

  private static func work(_ configuration: String) throws {
    let worker = try Worker(configuration)
    printLine("ready")
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      guard words.count >= 3, let at = UInt64(words[1]), let count = Int(words[2]) else { break }
      Moment.wait(until: at)
      try worker.perform(words[0], count, words.count > 3 ? words[3] : "{}")
      printLine("done")
    }
  }
}
