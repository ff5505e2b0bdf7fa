// SPDX-License-Identifier: MIT
// Functions of the host, wrapped so that Swift can call them.

import CTessera
import TesseraEngine

/// The host's log function with its context, which the host promises to be usable from any thread.
struct LogSink: @unchecked Sendable {
  private let function: tessera_log_callback
  private let context: UnsafeMutableRawPointer?

  /// The size of the first version of the structure; programs that were built with it know no more members.
  private static let firstSize = MemoryLayout<(Int, Int, Int)>.size

  /// The log function of a host; nil if it has none.
  ///
  /// - Throws: `fixRequest` when the structure is smaller than the first version of it.
  init?(_ host: UnsafePointer<tessera_host>?) throws(TesseraError) {
    guard let host else { return nil }
    guard host.pointee.size >= LogSink.firstSize else {
      throw TesseraError(
        .fixRequest, .invalidMember, "host->size must be sizeof(tessera_host).")
    }
    guard let function = host.pointee.log else { return nil }
    self.function = function
    context = host.pointee.log_context
  }

  /// A log that goes to the host.
  func log(level: LogLevel) -> Log {
    Log(level: level) { level, message in
      message.withCString { function(context, level.rawValue, $0) }
    }
  }
}
