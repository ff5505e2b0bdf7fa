// SPDX-License-Identifier: MIT
// Deferred cleanup of exchanges that an old libcurl cannot end without blocking.

import CLibrary
import TesseraEngine

/// Exchanges that ended during name resolution and are freed later.
///
/// Before version 7.87, freeing a libcurl handle waits for its resolver, with an unresponsive DNS server for many seconds. Such
/// an exchange is kept, and freed by a later call when its resolver has finished.
final class AbandonedExchanges: Sendable {
  private struct Entry {
    let exchange: CurlExchange
    let process: Int32
  }

  private let entries = SpinLock<[Entry]>([])

  /// Frees an exchange, or keeps it for ``freeFinished()`` if freeing it would block.
  func end(_ exchange: CurlExchange) {
    guard !exchange.end() else { return }
    entries.withLock { $0.append(Entry(exchange: exchange, process: getpid())) }
  }

  /// Frees the exchanges that can be freed without blocking.
  ///
  /// A child of fork() does not free those of its parent: libcurl would wait for resolver threads that do not exist in the child.
  func freeFinished() {
    entries.withLock { entries in
      entries.removeAll { $0.process == getpid() && $0.exchange.freeIfResolved() }
    }
  }
}
