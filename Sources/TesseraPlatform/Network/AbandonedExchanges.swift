// SPDX-License-Identifier: MIT
// Exchanges that an old libcurl cannot end at once.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Exchanges whose name was still being looked up when their call ended.
///
/// Before 7.87, libcurl waits for its resolver when it is told to stop, with a silent server for many seconds. There
/// such an exchange is put aside, and ended by a later call once its resolver has finished.
final class AbandonedExchanges: Sendable {
  private struct Entry {
    let exchange: CurlExchange
    let process: Int32
  }

  private let entries = SpinLock<[Entry]>([])

  /// Ends an exchange, or puts it aside.
  func end(_ exchange: CurlExchange) {
    guard !exchange.end() else { return }
    entries.withLock { $0.append(Entry(exchange: exchange, process: getpid())) }
  }

  /// Ends what can be ended by now.
  ///
  /// In the child of a fork the parent's exchanges stay: their resolvers, for which libcurl would wait, do not exist.
  func sweep() {
    entries.withLock { entries in
      entries.removeAll { $0.process == getpid() && $0.exchange.endLate() }
    }
  }
}
