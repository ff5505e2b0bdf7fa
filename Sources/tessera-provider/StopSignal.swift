// SPDX-License-Identifier: MIT
// SIGTERM and SIGINT as something to wait for.

import Dispatch
import Glibc

/// Waits until somebody asks this process to stop; from its creation on, the signals do not kill it, and none is missed.
struct StopSignal {
  private let signals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (signals, stream) = AsyncStream.makeStream(of: Void.self)
    self.signals = signals
    // Sources begin to listen on another thread, some time after they were told to.
    let listening = DispatchGroup()
    sources = [SIGTERM, SIGINT].map { number in
      // The default action would end the process before the source is asked.
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

  /// Returns when the first signal comes.
  func wait() async {
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
