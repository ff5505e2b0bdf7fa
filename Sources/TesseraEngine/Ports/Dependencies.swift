// SPDX-License-Identifier: MIT
// The external dependencies of the engine.

/// The external dependencies of the engine.
///
/// The platform provides the real ones, tests provide doubles.
package struct Dependencies: Sendable {
  /// The HTTP transport.
  package var transport: any Transport
  /// The credential store.
  package var store: any CredentialStore
  /// The clocks.
  package var time: any TimeSource
  /// The cryptographic random number generator.
  package var randomness: any Randomness
  /// The thread pool of the asynchronous calls.
  package var workers: any Workers
  /// The thread pool of calls that wait for user interaction, so that other calls do not queue behind them.
  package var interactiveWorkers: any Workers
  /// The browser.
  package var browser: any Browser
  /// The flows of the features of this build.
  package var features: [any Feature] = []
  /// The authentication of a confidential client; `nil` for a public client.
  package var authenticator: (any ClientAuthenticator)?
  /// The remaining stack of the calling thread.
  package var stack: StackSpace
  /// The log.
  package var log: TesseraLog

  /// Creates the dependencies.
  ///
  /// Without `interactiveWorkers`, interactive calls use `workers`.
  package init(
    transport: any Transport, store: any CredentialStore, time: any TimeSource,
    randomness: any Randomness, workers: any Workers, interactiveWorkers: (any Workers)? = nil,
    browser: any Browser = NoBrowser(), stack: StackSpace = .unknown,
    log: TesseraLog = .silent
  ) {
    self.transport = transport
    self.store = store
    self.time = time
    self.randomness = randomness
    self.workers = workers
    self.interactiveWorkers = interactiveWorkers ?? workers
    self.browser = browser
    self.stack = stack
    self.log = log
  }
}

extension Dependencies {
  /// Returns the feature that has a flow; `nil` if this build does not have it.
  package func feature<Flow>(_ flow: Flow.Type) -> Flow? {
    features.lazy.compactMap { $0 as? Flow }.first
  }
}
