// SPDX-License-Identifier: MIT
// What a reader has seen: the latest answer, since when, and how long reads took.

/// What a call answered, and when it began and ended.
struct Answer: Sendable {
  let start: UInt64
  let end: UInt64
  let text: String

  /// The line that says so.
  var line: String { "\(start) \(end) \(text)" }
}

/// What a reader has seen.
struct Reading {
  private var text = ""
  private var firstEnd: UInt64 = 0
  private var lastStart: UInt64 = 0
  private var counts: [Int: Int] = [:]
  private var longest: UInt64 = 0

  /// Notes one read; what was seen before is printed when the answer changes.
  mutating func note(_ answer: Answer) {
    let duration = answer.end - answer.start
    counts[Reading.bucket(duration), default: 0] += 1
    longest = max(longest, duration)
    if answer.text != text {
      saySeen()
      text = answer.text
      firstEnd = answer.end
    }
    lastStart = answer.start
  }

  /// Prints what was seen last, and how long the reads took.
  func finish() {
    saySeen()
    let buckets = counts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    say("times \(longest) \(buckets.joined(separator: " "))")
  }

  private func saySeen() {
    if !text.isEmpty { say("\(firstEnd) \(lastStart) \(text)") }
  }

  /// Sixteen buckets for each doubling.
  private static func bucket(_ nanoseconds: UInt64) -> Int {
    let bits = UInt64.bitWidth - nanoseconds.leadingZeroBitCount
    return bits < 5 ? Int(nanoseconds) : bits << 4 | Int(nanoseconds >> (bits - 5) & 15)
  }
}
