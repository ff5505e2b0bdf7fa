// SPDX-License-Identifier: MIT
// The recorder of the metrics of an application.

import TesseraWire

/// A function with counted calls.
///
/// Like the other tags, it has no raw value: Swift would hash the text of each.
package enum MeasuredFunction: Sendable {
  case acquireTokenSilent
  case acquireTokenInteractive
  case acquireTokenByDeviceCode
  case acquireTokenForClient
  case beginSignIn
  case completeSignIn
  case removeAccount
  case signOut
}

/// A metric with its tags.
///
/// The values of tags have closed types. No identifier, token, user name or tenant can become a tag.
struct MetricSeries: Sendable, Hashable {
  /// The origin of a token.
  enum Source: Sendable {
    /// The response cache.
    case memory
    case store
    /// The server, with a refresh token.
    case refresh
    /// The server, in a sign-in.
    case network
    case broker
  }

  /// An access to the store.
  enum Operation: Sendable {
    case read, write
  }

  /// The end of a call, or of a wait for a lock.
  enum Outcome: Sendable {
    case success, failure
    case acquired
    /// The lock is held, and the call did not wait for it.
    case busy
    case timeout, cancelled
  }

  /// The value of the second tag.
  enum Detail: Sendable, Hashable {
    case source(Source)
    case operation(Operation)
    case outcome(Outcome)
    /// The status of a response; 0 for an invalid one.
    case status(Int)
    /// The index of an error code in ``codes``; `nil` for a code that is not in the table.
    case errorCode(Int?)

    /// The known error codes.
    static let codes = TesseraError.Code.remedies.keys.map(\.rawValue).sorted()

    /// Creates the value for a response.
    init(_ response: HTTPResponse) {
      self = .status((100...599).contains(response.status) ? response.status : 0)
    }

    /// Creates the value for an error.
    ///
    /// A recorded error may have a code of a later version, or one that another program wrote to the store.
    init(_ error: TesseraError) {
      self = .errorCode(Detail.codes.firstIndex(of: error.code.rawValue))
    }
  }

  let metric: Metric
  var function: MeasuredFunction?
  var detail: Detail?

  /// Hashes the tags, which distinguish most series.
  func hash(into hasher: inout Hasher) {
    hasher.combine(function)
    hasher.combine(detail)
  }
}

extension Metric {
  /// Whether the values are a distribution.
  fileprivate var isHistogram: Bool {
    switch self {
    case .callDuration, .httpDuration, .storeDuration, .lockWait, .tokenLifetime: true
    default: false
    }
  }
}

/// A distribution of values.
struct Histogram: Sendable {
  /// The upper bounds of durations in microseconds: ten microseconds to five minutes.
  private static let durations: [Int64] = [
    10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000,
    500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000, 300_000_000,
  ]
  /// The upper bounds of lifetimes in seconds: one minute to one day.
  private static let lifetimes: [Int64] = [
    60, 300, 600, 900, 1_800, 2_700, 3_600, 5_400, 7_200, 14_400, 28_800, 86_400,
  ]

  /// The inclusive upper bounds of all buckets but the last one.
  let bounds: [Int64]
  /// The number of values in each bucket.
  private(set) var counts: [Int64]
  /// The sum of all values.
  private(set) var sum: Int64 = 0

  init(of metric: Metric) {
    bounds = metric == .tokenLifetime ? Histogram.lifetimes : Histogram.durations
    counts = [Int64](repeating: 0, count: bounds.count + 1)
  }

  /// Adds a value.
  mutating func add(_ value: Int64) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] &+= 1
    sum &+= value
  }
}

/// Records the metrics of an application.
///
/// Thread-safe. A child of fork() starts with the values of its parent. Repeated cache hits are not recorded here, but counted
/// by ``ResponseCache``, at no cost.
package final class MetricsRecorder: Sendable {
  /// A change of a series: the increment of a counter, or a value of a histogram.
  private typealias Change = (series: MetricSeries, value: Int64)

  private struct State {
    var counters: [MetricSeries: Int64] = [:]
    var histograms: [MetricSeries: Histogram] = [:]

    mutating func apply(_ change: Change) {
      let (series, value) = change
      guard series.metric.isHistogram else {
        counters[series, default: 0] &+= value
        return
      }
      histograms[series, default: Histogram(of: series.metric)].add(value)
    }
  }

  private let state = SpinLock(State())
  private let time: any TimeSource
  private let observer: (any MetricsObserver)?

  /// Creates a recorder without values.
  package init(time: any TimeSource, observer: (any MetricsObserver)? = nil) {
    self.time = time
    self.observer = observer
  }

  /// The counters and histograms that have values.
  var values: (counters: [MetricSeries: Int64], histograms: [MetricSeries: Histogram]) {
    state.withLock { ($0.counters, $0.histograms) }
  }

  /// Counts an event.
  package func count(_ metric: Metric) {
    record((MetricSeries(metric: metric), 1))
  }

  /// Applies changes under one lock, and then passes them to the observer.
  ///
  /// They are parameters, because an array would be allocated for each call.
  private func record(
    _ first: Change, _ second: Change? = nil, _ third: Change? = nil, _ fourth: Change? = nil
  ) {
    state.withLock { state in
      state.apply(first)
      if let second { state.apply(second) }
      if let third { state.apply(third) }
      if let fourth { state.apply(fourth) }
    }
    guard let observer else { return }
    for (series, value) in [first, second, third, fourth].compactMap(\.self) {
      observer.observe(MetricObservation(name: series.metric, value: value, tags: series.tags))
    }
  }

  private func microseconds(since start: UInt64) -> Int64 {
    Int64(clamping: (time.monotonicNanoseconds &- start) / 1000)
  }
}

extension MetricsRecorder {
  /// Runs a call, and records its outcome, its duration and the remaining lifetime of its token.
  ///
  /// A call with a timeout of zero is recorded only if it returns a token without a refresh error: otherwise, its caller
  /// repeats it with more time.
  ///
  /// - Parameter token: Returns the token of a result; `nil` for a function without tokens.
  package func measure<Value>(
    _ function: MeasuredFunction, within limits: CallLimits? = nil,
    token: (Value) -> TokenResult? = { _ in nil }, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let start = time.monotonicNanoseconds
    let hasNoTime = limits?.deadlineNanoseconds.map { $0 <= start } ?? false
    do throws(TesseraError) {
      let value = try body()
      let token = token(value)
      if !hasNoTime || token?.refreshError == nil {
        recordSuccess(of: function, token, since: start)
      }
      return value
    } catch {
      if !hasNoTime { recordFailure(of: function, error, since: start) }
      throw error
    }
  }

  private func recordSuccess(
    of function: MeasuredFunction, _ token: TokenResult?, since start: UInt64
  ) {
    var succeeded = MetricSeries(metric: .callsSucceeded, function: function)
    var lifetime: Change?
    if let token {
      let source = MetricSeries.Detail.source(.init(of: token, function))
      succeeded.detail = source
      let seconds = max(token.expiresOn.seconds(since: time.now), 0)
      lifetime = (MetricSeries(metric: .tokenLifetime, detail: source), seconds)
    }
    record(
      duration(of: function, .success, since: start), (succeeded, 1), lifetime,
      throttled(function, token?.refreshError))
  }

  private func recordFailure(
    of function: MeasuredFunction, _ error: TesseraError, since start: UInt64
  ) {
    let failed = MetricSeries(metric: .callsFailed, function: function, detail: .init(error))
    record(
      duration(of: function, .failure, since: start), (failed, 1), throttled(function, error))
  }

  /// Returns the change for a call that sent no request because of a recorded error; `nil` for other calls.
  private func throttled(_ function: MeasuredFunction, _ error: TesseraError?) -> Change? {
    guard error?.isRecorded == true else { return nil }
    return (MetricSeries(metric: .callsThrottled, function: function), 1)
  }

  private func duration(
    of function: MeasuredFunction, _ outcome: MetricSeries.Outcome, since start: UInt64
  ) -> Change {
    let series = MetricSeries(
      metric: .callDuration, function: function, detail: .outcome(outcome))
    return (series, microseconds(since: start))
  }
}

extension MetricsRecorder {
  /// Runs a read of the store, and records its duration.
  func measureRead<Value>(
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try measure(.read, body)
  }

  /// Runs a commit, and records its duration.
  func measureWrite<Value>(
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try measure(.write, body)
  }

  private func measure<Value>(
    _ operation: MetricSeries.Operation, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let start = time.monotonicNanoseconds
    defer {
      let series = MetricSeries(metric: .storeDuration, detail: .operation(operation))
      record((series, microseconds(since: start)))
    }
    return try body()
  }

  /// Records a wait for the lock of a credential.
  ///
  /// - Parameters:
  ///   - limits: The limits of the wait.
  ///   - start: The start of the wait on the monotonic clock.
  ///   - error: The error that ended the wait; `nil` if the lock was acquired.
  func recordLockWait(within limits: CallLimits, since start: UInt64, _ error: TesseraError? = nil)
  {
    let hasNoTime = limits.deadlineNanoseconds.map { $0 <= start } ?? false
    var outcome = MetricSeries.Outcome.acquired
    if let error {
      switch error.code {
      case .storeBusy, .deadlineExceeded: outcome = hasNoTime ? .busy : .timeout
      case .cancelled: outcome = .cancelled
      default: outcome = .failure
      }
    }
    let series = MetricSeries(metric: .lockWait, detail: .outcome(outcome))
    record((series, microseconds(since: start)))
  }

  /// Sends a request, and records its duration.
  fileprivate func measureRequest(
    _ send: () throws(TesseraError) -> HTTPResponse
  ) throws(TesseraError) -> HTTPResponse {
    let start = time.monotonicNanoseconds
    var series = MetricSeries(metric: .httpDuration)
    defer { record((series, microseconds(since: start))) }
    do throws(TesseraError) {
      let response = try send()
      series.detail = .init(response)
      return response
    } catch {
      series.detail = .init(error)
      throw error
    }
  }
}

extension MetricSeries.Source {
  /// The source of a token that is not from the response cache.
  fileprivate init(of token: TokenResult, _ function: MeasuredFunction) {
    self =
      switch token.source {
      case .cache: .store
      case .network: function == .acquireTokenSilent ? .refresh : .network
      case .broker: .broker
      }
  }
}

/// A transport that records the durations of its requests.
struct MeasuredTransport: Transport {
  private let transport: any Transport
  private let metrics: MetricsRecorder

  init(_ transport: any Transport, _ metrics: MetricsRecorder) {
    self.transport = transport
    self.metrics = metrics
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    try metrics.measureRequest { () throws(TesseraError) in
      try transport.send(request, within: limits)
    }
  }
}
