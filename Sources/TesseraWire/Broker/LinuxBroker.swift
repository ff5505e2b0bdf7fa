// SPDX-License-Identifier: MIT
// The identity broker of Linux: where it is on the session bus, and what can be asked of it.

/// The names of Microsoft's identity broker on the session bus, which Himmelblau's has as well.
///
/// Newer brokers cannot be introspected, so that the names stand here. All methods take three texts (the version of the
/// protocol, a correlation id and a JSON object) and answer with one, a JSON object.
package enum LinuxBroker {
  /// The name on the bus.
  package static let service = "com.microsoft.identity.broker1"
  /// The object.
  package static let path = "/com/microsoft/identity/broker1"
  /// The interface of the object.
  package static let interface = "com.microsoft.identity.Broker1"
  /// The only version of the protocol that clients speak; brokers that want another one say so in their answer.
  package static let protocolVersion = "0.0"

  /// A method of the broker.
  package enum Method: String, Sendable, CaseIterable {
    case interactive = "acquireTokenInteractively"
    case silent = "acquireTokenSilently"
    case accounts = "getAccounts"
    case removeAccount
    case cookie = "acquirePrtSsoCookie"
    case signedRequest = "generateSignedHttpRequest"
    case cancelInteractive = "cancelInteractiveFlow"
    case version = "getLinuxBrokerVersion"
  }

  /// Bytes that an answer may have: a token has a few thousand, and a list of accounts a few hundred for each.
  package static let largestAnswer = 4 << 20
}
