// SPDX-License-Identifier: MIT
// The worker in Swift: does what docs/soak.md says workers do, through the public interface.

internal import Tessera

/// The program: `tessera-soak CONFIGURATION`.
@main
struct TesseraSoak {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      return print("usage: tessera-soak CONFIGURATION")
    }
    let worker = try Worker(CommandLine.arguments[1])
    say("ready")
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      guard words.count >= 3, let at = UInt64(words[1]), let count = Int(words[2]) else { break }
      Moment.wait(until: at)
      try worker.perform(words[0], count, words.count > 3 ? words[3] : "{}")
      say("done")
    }
  }
}
