// SPDX-License-Identifier: MIT
// Waiting for SIGTERM and SIGINT.

import Dispatch
import Glibc

/// Waits for SIGTERM or SIGINT.
///
/// From its creation on, these signals do not terminate the process, and none is lost.
struct StopSignal {
  private let signals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (signals, stream) = AsyncStream.makeStream(of: Void.self)
    self.signals = signals
    // Sources are registered asynchronously on another thread.
    let listening = DispatchGroup()
    sources = [SIGTERM, SIGINT].map { number in
      // The default action would terminate the process before the source receives the signal.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      listening.enter()
      source.setRegistrationHandler { listening.leave() }
      source.setEventHandler { stream.yield() }
      source.resume()
      return source
    }
    listening.wait()
  }

  /// Returns after the first signal.
  func wait() async {
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
