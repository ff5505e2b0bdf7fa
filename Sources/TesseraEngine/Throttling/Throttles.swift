// SPDX-License-Identifier: MIT
// Requests that must not be repeated yet.

package import TesseraCache
package import TesseraWire

/// Throttle records that could not be stored, for example because the store is full or read-only.
package final class InMemoryThrottles: Sendable {
  /// The maximum number of records, as in MSAL for Apple.
  ///
  /// If it is exceeded, expired records are evicted, or else all.
  private static let capacity = 1000

  private let records = SpinLock<[String: ThrottleRecord]>([:])

  package init() {}

  /// Returns the records of an account.
  package func records(of homeAccountID: String) -> [ThrottleRecord] {
    records.withLock { records in
      records.isEmpty ? [] : records.values.filter { $0.homeAccountID == homeAccountID }
    }
  }

  /// Adds a record.
  package func add(_ record: ThrottleRecord, at clocks: Clocks) {
    records.withLock { records in
      if records.count >= InMemoryThrottles.capacity {
        records = records.filter { !$0.value.hasExpired(at: clocks) }
      }
      if records.count >= InMemoryThrottles.capacity { records = [:] }
      records[record.name] = record
    }
  }

  /// Removes the records of an account, either all or those with the given names.
  package func removeRecords(of homeAccountID: String, names: Set<String>? = nil) {
    records.withLock { records in
      guard !records.isEmpty else { return }
      records = records.filter { name, record in
        record.homeAccountID != homeAccountID || names?.contains(name) == false
      }
    }
  }
}

/// The parts of a silent request that identify its throttle records.
///
/// MSAL for Apple calls the keys the strict and the full thumbprint.
package struct ThrottleKey: Sendable {
  private let environment: String
  private let tenant: String
  private let clientID: String
  private let homeAccountID: String
  private let scopes: Scopes
  private let claims: String?

  /// Creates the key of a request for an account.
  ///
  /// - Parameters:
  ///   - environment: The cloud or the issuer, independent of the host alias.
  ///   - tenant: The requested tenant; empty for a provider without tenants.
  package init(
    environment: String, tenant: String, clientID: String, homeAccountID: String, scopes: Scopes,
    claims: String?
  ) {
    self.environment = environment
    self.tenant = tenant
    self.clientID = clientID
    self.homeAccountID = homeAccountID
    self.scopes = scopes
    self.claims = claims
  }

  /// The key for outages and `429` responses, which apply to all requests with this key.
  package var name: String { ThrottleRecord.name(of: parts) }

  /// Returns the key for a rejected refresh token.
  ///
  /// It applies only to this token and these claims.
  package func name(redeeming token: Secret) -> String {
    ThrottleRecord.name(of: parts + [claims ?? "", token.reveal()])
  }

  /// The key for an unresponsive broker, which is independent of servers.
  package var brokerName: String { ThrottleRecord.name(of: parts + ["broker"]) }

  /// The common parts of the keys.
  ///
  /// They are computed only when records exist, because a cache hit does not need them.
  private var parts: [String] {
    [
      environment, tenant, clientID.normalised, homeAccountID,
      scopes.normalised.sorted().map(\.text).joined(separator: " "),
    ]
  }
}

/// The backoff times after a failed refresh.
package enum ThrottleRule {
  /// The time for which the rejection of a refresh token is not retried, in seconds (MSAL for Apple and .NET).
  private static let rejectionPause: Int64 = 120

  /// Returns the time for which no process may send the same request, in seconds; zero for none.
  ///
  /// `Retry-After` is honoured up to one hour. An outage without it, or a broker that does not respond, causes an
  /// exponential backoff. MSAL starts with one minute, but its records last only as long as the process.
  ///
  /// - Parameter failures: The number of preceding consecutive failures.
  package static func blockedSeconds(after error: TesseraError, failures: Int64) -> Int64 {
    if let seconds = error.retryAfterSeconds, seconds > 0 {
      return min(seconds, TesseraError.maximumRetryAfterSeconds)
    }
    return switch error.code {
    case .throttled: TesseraError.defaultBackoffSeconds
    case .serverUnavailable, .brokerUnresponsive:
      exponential(from: 5, to: TesseraError.defaultBackoffSeconds, failures)
    default: 0
    }
  }

  /// Returns the time for which callers with a valid token do not retry after any failure, in seconds.
  package static func backoffSeconds(after error: TesseraError, failures: Int64) -> Int64 {
    max(blockedSeconds(after: error, failures: failures), exponential(from: 30, to: 300, failures))
  }

  /// Returns the time for which a rejected refresh token is not sent again for the same request, in seconds.
  ///
  /// It is zero for a failure that is not a rejection.
  package static func rejectionSeconds(after error: TesseraError) -> Int64 {
    switch error.remedy {
    case .signIn: rejectionPause
    // Shorter, so that a correction at the provider takes effect soon.
    case .fixRequest, .fixConfiguration: TesseraError.defaultBackoffSeconds
    default: 0
    }
  }

  /// Returns a time that doubles with each failure, up to a maximum.
  private static func exponential(from first: Int64, to last: Int64, _ failures: Int64) -> Int64 {
    min(first << min(max(failures, 0), 10), last)
  }
}

extension TesseraError {
  /// The maximum time of `Retry-After` that is honoured, in seconds (MSAL).
  package static let maximumRetryAfterSeconds = ThrottleRecord.maximumSeconds

  /// Returns the error for a request that must not be sent yet.
  package static func recordedError(_ record: ThrottleRecord, at clocks: Clocks) -> TesseraError {
    let failure = TesseraError(recordedError: record.error)
    var error = failure
    error.causes = []
    error = error.caused(by: failure)
    error.isRecorded = true
    error.representsOutage = error.code == .serverUnavailable
    // A rejection keeps its code. After an outage, the code states that no request was sent.
    if error.remedy == .retryLater {
      let seconds = record.blockedSeconds(at: clocks)
      if seconds > 0 { error.code = .throttled }
      error.retryAfterSeconds = seconds > 0 ? seconds : record.backoffSeconds(at: clocks)
    } else if let asked = failure.retryAfterSeconds {
      let left = min(asked, maximumRetryAfterSeconds) - (record.ageSeconds(at: clocks) ?? asked)
      error.retryAfterSeconds = left > 0 ? left : nil
    }
    error.message =
      "The same request failed recently and was not sent again: " + error.message
    return error
  }
}
