// SPDX-License-Identifier: MIT
// A transport without a network: sends requests directly to a local provider, and simulates failures.

import Synchronization
package import TesseraEngine
package import TesseraWire

/// Sends requests to a ``LocalProvider`` and records them.
package final class LocalTransport: Transport {
  /// A simulated state of the network.
  package enum Network: Sendable {
    /// Requests and responses are delivered.
    case up
    /// No request is delivered.
    case down
    /// Requests are delivered and take effect, but responses are lost.
    case losingResponses
  }

  private struct State {
    var network = Network.up
    var latencyNanoseconds: UInt64 = 0
    var requests: [HTTPRequest] = []
    var secrets: Set<String> = []
  }

  private let provider: LocalProvider
  private let time: any TimeSource
  private let state = Mutex(State())

  /// Creates a transport to a provider, with a working network and no latency.
  package init(to provider: LocalProvider, time: any TimeSource) {
    self.provider = provider
    self.time = time
  }

  /// The simulated state of the network.
  package var network: Network {
    get { state.withLock { $0.network } }
    set { state.withLock { $0.network = newValue } }
  }

  /// The latency of each request.
  package var latencyNanoseconds: UInt64 {
    get { state.withLock { $0.latencyNanoseconds } }
    set { state.withLock { $0.latencyNanoseconds = newValue } }
  }

  /// All requests that were sent, delivered or not.
  package var requests: [HTTPRequest] {
    state.withLock { $0.requests }
  }

  /// All tokens and device codes in the provider's responses.
  package var secrets: Set<String> {
    state.withLock { $0.secrets }
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let (network, latency) = state.withLock { state in
      state.requests.append(request)
      return (state.network, state.latencyNanoseconds)
    }
    try time.wait(nanoseconds: latency, within: limits)
    let isForProvider = WebURL(request.url)?.origin == provider.origin
    guard network != .down, isForProvider else { throw LocalTransport.unreachable }
    let response = provider.handle(request)
    recordSecrets(response)
    guard network == .up else { throw LocalTransport.unreachable }
    return response
  }

  private func recordSecrets(_ response: HTTPResponse) {
    guard let json = response.json else { return }
    let names = ["access_token", "refresh_token", "id_token", "device_code"]
    let secrets = names.compactMap { json[$0]?.string }
    state.withLock { $0.secrets.formUnion(secrets) }
  }

  private static let unreachable = TesseraError(
    .retryLater, .networkFailed, "The server could not be reached.")
}
