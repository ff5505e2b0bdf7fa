// SPDX-License-Identifier: MIT
// Everything the engine needs of the world outside, as one value.

/// The world as the engine sees it: the platform fills it in for real, tests fill it in with what they want.
package struct Dependencies: Sendable {
  /// Sends requests.
  package var transport: any Transport
  /// Keeps credentials.
  package var store: any CredentialStore
  /// Tells the time, and waits.
  package var time: any TimeSource
  /// Makes what nobody can guess.
  package var randomness: any Randomness
  /// Does what the asynchronous forms ask for.
  package var workers: any Workers
  /// Does what waits for a person meanwhile, so that no other call waits behind it.
  package var patientWorkers: any Workers
  /// Brings people to pages.
  package var browser: any Browser
  /// Asks the identity broker of this machine.
  package var broker: any Broker
  /// Measures the stack of the calling thread.
  package var stack: StackSpace
  /// Receives the log.
  package var log: Log

  /// Surroundings made of these parts.
  package init(
    transport: any Transport, store: any CredentialStore, time: any TimeSource,
    randomness: any Randomness, workers: any Workers, patientWorkers: (any Workers)? = nil,
    browser: any Browser = NoBrowser(), broker: any Broker = NoBroker(),
    stack: StackSpace = .unknown,
    log: Log = .silent
  ) {
    self.transport = transport
    self.store = store
    self.time = time
    self.randomness = randomness
    self.workers = workers
    self.patientWorkers = patientWorkers ?? workers
    self.browser = browser
    self.broker = broker
    self.stack = stack
    self.log = log
  }
}
