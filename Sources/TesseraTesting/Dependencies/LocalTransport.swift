// SPDX-License-Identifier: MIT
// A transport without a network: requests go straight to a local provider, as long as the test lets them.

import Synchronization
package import TesseraEngine
package import TesseraWire

/// Hands requests to a ``LocalProvider`` and records them.
package final class LocalTransport: Transport {
  /// How the network behaves.
  package enum Network: Sendable {
    /// Requests arrive, and so do responses.
    case up
    /// No request arrives.
    case down
    /// Requests arrive and take effect, responses get lost.
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

  /// A transport to a provider, on a network that is up and takes no time.
  package init(to provider: LocalProvider, time: any TimeSource) {
    self.provider = provider
    self.time = time
  }

  /// How the network behaves.
  package var network: Network {
    get { state.withLock { $0.network } }
    set { state.withLock { $0.network = newValue } }
  }

  /// How long each request takes.
  package var latencyNanoseconds: UInt64 {
    get { state.withLock { $0.latencyNanoseconds } }
    set { state.withLock { $0.latencyNanoseconds = newValue } }
  }

  /// Every request that was sent, whether it arrived or not.
  package var requests: [HTTPRequest] {
    state.withLock { $0.requests }
  }

  /// Every token and device code that the provider has answered with.
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
    let isForProvider = WebAddress(request.url)?.origin == provider.origin
    guard network != .down, isForProvider else { throw LocalTransport.unreachable }
    let response = provider.handle(request)
    remember(response)
    guard network == .up else { throw LocalTransport.unreachable }
    return response
  }

  private func remember(_ response: HTTPResponse) {
    guard let json = response.json else { return }
    let names = ["access_token", "refresh_token", "id_token", "device_code"]
    let secrets = names.compactMap { json[$0]?.string }
    state.withLock { $0.secrets.formUnion(secrets) }
  }

  private static let unreachable = TesseraError(
    .retryLater, .networkFailed, "The server could not be reached.")
}
