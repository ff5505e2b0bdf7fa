// SPDX-License-Identifier: MIT
// Provide the HTTP client, the clock and the token store of an application: no network, no files and no user.

import Synchronization
import Tessera

#if canImport(Glibc)
  import Glibc
#else
  import Foundation
#endif

/// A clock that advances only when the program sets it.
final class SimulatedClock: HostClock {
  private let nanoseconds = Atomic<UInt64>(0)

  var secondsSince1970: Int64 { 1_800_000_000 + Int64(monotonicNanoseconds / 1_000_000_000) }
  var monotonicNanoseconds: UInt64 { nanoseconds.load(ordering: .acquiring) }

  func advance(seconds: UInt64) {
    nanoseconds.wrappingAdd(seconds * 1_000_000_000, ordering: .releasing)
  }
}

/// A store in memory, like a table with a row for each partition.
final class Table: HostStore {
  private let rows = Mutex<[String: HostPartition]>([:])

  func read(_ partition: String, timeout: Duration) throws -> HostPartition? {
    rows.withLock { $0[partition] }
  }

  func write(
    _ bytes: [UInt8], to partition: String, expecting expectedVersion: UInt64, timeout: Duration
  ) throws -> HostWriteResult {
    rows.withLock { rows in
      guard rows[partition]?.version ?? 0 == expectedVersion else { return .conflict }
      rows[partition] = HostPartition(bytes, version: expectedVersion + 1)
      return .committed
    }
  }

  func version(of partition: String) -> UInt64? {
    rows.withLock { $0[partition]?.version ?? 0 }
  }

  /// Whether a partition contains a text.
  func contains(_ text: String, in partition: String) -> Bool {
    let bytes = rows.withLock { $0[partition]?.bytes ?? [] }
    return String(decoding: bytes, as: UTF8.self).contains(text)
  }
}

/// An HTTP client that creates the responses to a refresh itself.
final class SimulatedServer: HostTransport {
  private let requestCounts = Mutex<[String: Int]>([:])

  func send(_ request: TransportRequest) throws -> TransportResponse {
    let path = request.url.split(separator: "?").first.map(String.init) ?? ""
    let count = requestCounts.withLock { counts in
      counts[path, default: 0] += 1
      return counts[path] ?? 0
    }
    let issuer = "https://login.microsoftonline.com/utid"
    switch path {
    case issuer + "/v2.0/.well-known/openid-configuration":
      return json(
        """
        {"issuer": "\(issuer)/v2.0", "authorization_endpoint": "\(issuer)/oauth2/v2.0/authorize", \
        "token_endpoint": "\(issuer)/oauth2/v2.0/token"}
        """)
    case issuer + "/oauth2/v2.0/token" where count == 1:
      // The network is down at first. The server cannot have used the refresh token.
      throw TransportFailure("the network is down", isSent: false)
    case issuer + "/oauth2/v2.0/token":
      // "client_info" has the account ID: {"uid":"uid","utid":"utid"}.
      return json(
        """
        {"access_token": "the-new-token", "refresh_token": "the-new-refresh-token", "token_type": "Bearer", \
        "expires_in": 3600, "scope": "User.Read", "client_info": "eyJ1aWQiOiJ1aWQiLCJ1dGlkIjoidXRpZCJ9"}
        """)
    default: throw TransportFailure("there is no response for \(path)", isSent: false)
    }
  }

  private func json(_ body: String) -> TransportResponse {
    TransportResponse(
      status: 200, headers: [(name: "Content-Type", value: "application/json")],
      body: Array(body.utf8))
  }
}

/// Exits with a failure unless two texts are equal.
func expect(_ found: String, _ expected: String) {
  guard found != expected else { return }
  print("expected \(expected), found \(found)")
  exit(1)
}

/// The cache of another library, with an account and an access token that expires after an hour.
let cache = """
  {"Account": {"1": {"home_account_id": "uid.utid", "environment": "login.microsoftonline.com", "realm": "utid", \
  "local_account_id": "uid", "username": "alice@contoso.com", "authority_type": "MSSTS"}}, \
  "AccessToken": {"1": {"credential_type": "AccessToken", "secret": "the-token", "home_account_id": "uid.utid", \
  "environment": "login.microsoftonline.com", "client_id": "client", "realm": "utid", "target": "User.Read", \
  "cached_at": "1800000000", "expires_on": "1800003600"}}}
  """

let clock = SimulatedClock()
let table = Table()
var configuration = ApplicationConfiguration(clientID: "client")
configuration.authority = "https://login.microsoftonline.com/utid"
configuration.host.clock = clock
configuration.store = .host(
  table, .init(partition: "mail", key: StoreKey([UInt8](repeating: 7, count: 32))))
let application = try PublicClientApplication(configuration)
try application.writeCache(before: "", after: cache)

let info = application.storeInfo()
expect(info.state.rawValue, "usable")
expect(info.protection?.rawValue ?? "none", "encrypted")
expect(info.lockScope.rawValue, "process")
expect("\(table.contains("the-token", in: "mail"))", "false")

/// Returns the source of the token, or the remedy if there is none.
func source(_ application: PublicClientApplication) -> String {
  let request = SilentRequest(homeAccountID: "uid.utid", scopes: ["User.Read"])
  do {
    return "\(try application.acquireTokenSilent(request, cancellation: nil).source)"
  } catch {
    return "\(error.remedy)"
  }
}

expect(source(application), "cache")
// Another application finds the token in the store.
let other = try PublicClientApplication(configuration)
expect(source(other), "cache")
clock.advance(seconds: 3600)
expect(source(application), "signIn")
expect(source(other), "signIn")

// With a refresh token and an HTTP client, the expired token is replaced.
let signedIn = """
  {"RefreshToken": {"1": {"credential_type": "RefreshToken", "secret": "the-refresh-token", "home_account_id": "uid.utid", \
  "environment": "login.microsoftonline.com", "client_id": "client"}}, \(cache.dropFirst())
  """
configuration.host.transport = SimulatedServer()
configuration.store = .memory
let refreshing = try PublicClientApplication(configuration)
try refreshing.writeCache(before: "", after: signedIn)
expect(source(refreshing), "retryLater")
clock.advance(seconds: 600)
expect(source(refreshing), "network")
expect(source(refreshing), "cache")
