// SPDX-License-Identifier: MIT
// What an application remembers of its calls to tell Entra with the next token request, if the program allows it.

package import TesseraWire

/// The calls of an application since each host of Entra was last asked, in this process's memory alone.
package final class TelemetryMemory: Sendable {
  /// Failures of a host that are remembered at most, as in MSAL for Apple; then the oldest is forgotten.
  private static let failuresAtMost = 75
  /// Hosts that are remembered at most; then all are forgotten.
  private static let hostsAtMost = 10

  private struct History {
    var silentSuccesses = 0
    var failures: [(number: Int, failure: LastTelemetry.Failure)] = []
    var latestNumber = 0
    var isRest = false
  }

  /// By the host: nobody is told what was between this machine and somebody else.
  private let histories = SpinLock<[String: History]>([:])

  package init() {}

  /// What a request tells, to be forgotten when it has succeeded.
  package struct Report: Sendable {
    package let text: String
    fileprivate let silentSuccesses: Int
    fileprivate let told: Set<Int>
  }

  /// Remembers that the cache had a token.
  package func countSilentSuccess(at host: String) {
    change(host) { $0.silentSuccesses = min($0.silentSuccesses, Int(Int32.max)) + 1 }
  }

  /// Remembers that a request has failed.
  package func remember(_ failure: LastTelemetry.Failure, at host: String) {
    change(host) { history in
      history.latestNumber += 1
      history.failures.append((history.latestNumber, failure))
      let excess = history.failures.count - TelemetryMemory.failuresAtMost
      if excess > 0 { history.failures.removeFirst(excess) }
    }
  }

  /// What to tell a host now.
  package func report(to host: String) -> Report {
    let history = histories.withLock { $0[host] } ?? History()
    let telemetry = LastTelemetry(
      silentSuccesses: history.silentSuccesses, failures: history.failures.map(\.failure),
      isRest: history.isRest)
    return Report(
      text: telemetry.text, silentSuccesses: history.silentSuccesses,
      told: Set(history.failures.suffix(telemetry.toldCount).map(\.number)))
  }

  /// Forgets what a host has heard; what other threads added meanwhile stays.
  package func forget(_ report: Report, at host: String) {
    change(host) { history in
      history.silentSuccesses = max(history.silentSuccesses - report.silentSuccesses, 0)
      history.failures.removeAll { report.told.contains($0.number) }
      history.isRest = !history.failures.isEmpty
    }
  }

  private func change(_ host: String, _ body: (inout History) -> Void) {
    histories.withLock { histories in
      if histories[host] == nil, histories.count >= TelemetryMemory.hostsAtMost { histories = [:] }
      body(&histories[host, default: History()])
    }
  }
}
