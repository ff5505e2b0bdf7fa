// SPDX-License-Identifier: MIT
// The history of an application's calls, which is sent to Entra with the next token request if the configuration enables
// it.

package import TesseraWire

/// The history of an application's calls since the last request to each host of Entra.
///
/// It is kept in memory only.
package final class TelemetryHistory: Sendable {
  /// The maximum number of recorded failures for each host, as in MSAL for Apple.
  ///
  /// The oldest one is evicted.
  private static let maximumFailures = 75
  /// The maximum number of hosts.
  ///
  /// If it is exceeded, all are evicted.
  private static let maximumHosts = 10

  private struct History {
    var silentSuccesses = 0
    var failures: [(number: Int, failure: LastTelemetry.Failure)] = []
    var latestNumber = 0
    var hasOverflowed = false
  }

  /// The history by host, so that no host receives the history of another one.
  private let histories = SpinLock<[String: History]>([:])

  package init() {}

  /// The history in a request, which is deleted when the request has succeeded.
  package struct Report: Sendable {
    package let text: String
    fileprivate let silentSuccesses: Int
    fileprivate let reported: Set<Int>
  }

  /// Records a cache hit.
  package func countSilentSuccess(at host: String) {
    change(host) { $0.silentSuccesses = min($0.silentSuccesses, Int(Int32.max)) + 1 }
  }

  /// Records a failed request.
  package func record(_ failure: LastTelemetry.Failure, at host: String) {
    change(host) { history in
      history.latestNumber += 1
      history.failures.append((history.latestNumber, failure))
      let excess = history.failures.count - TelemetryHistory.maximumFailures
      if excess > 0 { history.failures.removeFirst(excess) }
    }
  }

  /// Returns the history to send to a host.
  package func report(to host: String) -> Report {
    let history = histories.withLock { $0[host] } ?? History()
    let telemetry = LastTelemetry(
      silentSuccesses: history.silentSuccesses, failures: history.failures.map(\.failure),
      hasOverflowed: history.hasOverflowed)
    return Report(
      text: telemetry.text, silentSuccesses: history.silentSuccesses,
      reported: Set(history.failures.suffix(telemetry.reportedFailureCount).map(\.number)))
  }

  /// Deletes the history that a host has received.
  ///
  /// Entries added by other threads in the meantime are kept.
  package func removeReported(_ report: Report, at host: String) {
    change(host) { history in
      history.silentSuccesses = max(history.silentSuccesses - report.silentSuccesses, 0)
      history.failures.removeAll { report.reported.contains($0.number) }
      history.hasOverflowed = !history.failures.isEmpty
    }
  }

  private func change(_ host: String, _ body: (inout History) -> Void) {
    histories.withLock { histories in
      if histories[host] == nil, histories.count >= TelemetryHistory.maximumHosts {
        histories = [:]
      }
      body(&histories[host, default: History()])
    }
  }
}
