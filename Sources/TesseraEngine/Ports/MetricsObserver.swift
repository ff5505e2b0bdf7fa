// SPDX-License-Identifier: MIT
// The metrics of an application, and the port that observes them.

/// A metric of an application.
///
/// The raw values are the names in the document "MetricsSnapshot". docs/metrics.md explains each metric.
public enum Metric: String, Sendable, CaseIterable {
  /// The unit of the values of a metric.
  public enum Unit: String, Sendable, CaseIterable {
    /// A number of events or entries.
    case count
    /// A duration in microseconds.
    case microseconds
    /// A duration in seconds.
    case seconds
    /// A size in bytes.
    case bytes
  }

  /// The calls that succeeded: a counter by function and, for tokens, by source.
  case callsSucceeded = "calls_succeeded"
  /// The calls that failed: a counter by function and error code.
  case callsFailed = "calls_failed"
  /// The calls that sent no request, because the same request failed recently: a counter by function.
  ///
  /// Each of them is also counted as succeeded, if a token was still valid, or as failed.
  case callsThrottled = "calls_throttled"
  /// The refreshes that became unnecessary, because another process or thread had refreshed the token: a counter.
  case refreshesAdopted = "refreshes_adopted"
  /// The token responses that were not stored, because the redeemed refresh token was removed: a counter.
  case commitsSuperseded = "commits_superseded"
  /// The changes that could not be written, and are kept in memory for a later attempt: a counter.
  case commitsQueued = "commits_queued"
  /// The durations of calls: a histogram by function and outcome.
  ///
  /// Repeated cache hits are counted by ``callsSucceeded`` only: reading the clock would make them slower.
  case callDuration = "call_duration"
  /// The durations of HTTP requests: a histogram by status, or by error code without a response.
  case httpDuration = "http_duration"
  /// The durations of accesses to the store: a histogram by operation.
  case storeDuration = "store_duration"
  /// The times that calls waited for the lock of a credential: a histogram by outcome.
  case lockWait = "lock_wait"
  /// The remaining lifetimes of returned tokens: a histogram by source, without repeated cache hits.
  case tokenLifetime = "token_lifetime"
  /// The entries of the response cache: a present value.
  case cachedResponses = "cached_responses"
  /// The size of the response cache: a present value.
  case cachedResponseBytes = "cached_response_bytes"

  /// The unit of the values.
  public var unit: Unit {
    switch self {
    case .callDuration, .httpDuration, .storeDuration, .lockWait: .microseconds
    case .tokenLifetime: .seconds
    case .cachedResponseBytes: .bytes
    default: .count
    }
  }

  /// The name of the same metric in MSAL for .NET (`MicrosoftIdentityClient_Common_Meter` 1.0.0); `nil` for none.
  ///
  /// MSAL measures durations in milliseconds.
  public var alias: String? {
    switch self {
    case .callsSucceeded: "MsalSuccess"
    case .callsFailed: "MsalFailure"
    case .callDuration: "MsalTotalDuration.1A"
    case .httpDuration: "MsalDurationInHttp.1A"
    case .storeDuration: "MsalDurationInL2Cache.1A"
    case .tokenLifetime: "MsalRemainingTokenLifetime.1A"
    default: nil
    }
  }
}

/// One change of a metric.
public struct MetricObservation: Sendable, Hashable {
  /// The metric.
  public let name: Metric
  /// The increment of a counter, or a value of a histogram, in ``Metric/unit``.
  public let value: Int64
  /// The tags by name, as in a snapshot.
  public let tags: [String: String]

  package init(name: Metric, value: Int64, tags: [String: String]) {
    self.name = name
    self.value = value
    self.tags = tags
  }
}

/// Observes the metrics of an application, for a library such as OpenTelemetry.
///
/// Repeated cache hits are not observed. Read their number from ``PublicClientApplication/metrics()``.
///
/// ```swift
/// configuration.host.observer = OwnObserver()
/// ```
public protocol MetricsObserver: Sendable {
  /// Receives one change of a metric.
  ///
  /// Called on the thread of the call, on several threads at the same time if there are several calls. It must not block, and
  /// must not call functions of the same application.
  func observe(_ observation: MetricObservation)
}
