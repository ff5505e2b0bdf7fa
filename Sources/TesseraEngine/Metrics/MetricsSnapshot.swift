// SPDX-License-Identifier: MIT
// A snapshot of the metrics of an application.

/// The metrics of an application since its creation.
///
/// Each process counts its own calls. The tags contain no identifiers, tokens, user names or tenants.
public struct MetricsSnapshot: Sendable, Hashable {
  /// The numbers of events.
  public let counters: [MetricValue]
  /// The present values.
  public let gauges: [MetricValue]
  /// The distributions of values.
  public let histograms: [MetricHistogram]

  /// Creates a snapshot of recorded values.
  ///
  /// - Parameters:
  ///   - cacheHits: The number of repeated cache hits of each function.
  ///   - cached: The number of entries of the response cache, and their size in bytes.
  init(
    _ recorder: MetricsRecorder, cacheHits: [MeasuredFunction: Int64],
    cached: (count: Int, bytes: Int)
  ) {
    let values = recorder.values
    var counters = values.counters
    for (function, hits) in cacheHits where hits > 0 || function == .acquireTokenSilent {
      let series = MetricSeries(
        metric: .callsSucceeded, function: function, detail: .source(.memory))
      counters[series] = hits
    }
    for metric: Metric in [.refreshesAdopted, .commitsSuperseded, .commitsQueued] {
      counters[MetricSeries(metric: metric), default: 0] += 0
    }
    self.counters = counters.map { MetricValue($0.key, $0.value) }.sorted { $0.order < $1.order }
    gauges = [
      MetricValue(MetricSeries(metric: .cachedResponses), Int64(cached.count)),
      MetricValue(MetricSeries(metric: .cachedResponseBytes), Int64(cached.bytes)),
    ]
    histograms = values.histograms.map { MetricHistogram($0.key, $0.value) }
      .sorted { $0.order < $1.order }
  }
}

/// A counter or a present value.
public struct MetricValue: Sendable, Hashable {
  /// The metric.
  public let name: Metric
  /// The tags by name; empty for a metric without tags.
  public let tags: [String: String]
  /// The value, in ``unit``.
  public let value: Int64

  fileprivate init(_ series: MetricSeries, _ value: Int64) {
    name = series.metric
    tags = series.tags
    self.value = value
  }

  /// The name of the same metric in MSAL for .NET; `nil` for none.
  public var alias: String? { name.alias }

  /// The unit of the value.
  public var unit: Metric.Unit { name.unit }

  fileprivate var order: String { MetricSeries.order(name, tags) }
}

/// A histogram.
public struct MetricHistogram: Sendable, Hashable {
  /// The metric.
  public let name: Metric
  /// The tags by name; empty for a metric without tags.
  public let tags: [String: String]
  /// The number of values.
  public let count: Int64
  /// The sum of all values, in ``unit``.
  public let sum: Int64
  /// The inclusive upper bounds of the buckets in ascending order, without the last bucket, which has none.
  public let bounds: [Int64]
  /// The number of values in each bucket; one more than ``bounds``.
  public let counts: [Int64]

  fileprivate init(_ series: MetricSeries, _ histogram: Histogram) {
    name = series.metric
    tags = series.tags
    count = histogram.counts.reduce(0, &+)
    sum = histogram.sum
    bounds = histogram.bounds
    counts = histogram.counts
  }

  /// The name of the same metric in MSAL for .NET; `nil` for none.
  public var alias: String? { name.alias }

  /// The unit of the values and of the bounds.
  public var unit: Metric.Unit { name.unit }

  fileprivate var order: String { MetricSeries.order(name, tags) }
}
