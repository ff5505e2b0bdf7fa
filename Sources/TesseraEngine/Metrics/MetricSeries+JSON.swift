// SPDX-License-Identifier: MIT
// The JSON form of metrics, for C and Python.

package import TesseraWire

extension MetricSeries {
  /// The tags by name.
  var tags: [String: String] {
    var tags: [String: String] = [:]
    tags["function"] = function?.name
    switch detail {
    case .source(let source): tags["source"] = source.name
    case .operation(let operation): tags["operation"] = operation == .read ? "read" : "write"
    case .outcome(let outcome): tags["outcome"] = outcome.name
    case .status(let status): tags["status"] = status == 0 ? "other" : "\(status)"
    case .errorCode(let index): tags["error_code"] = index.map { Detail.codes[$0] } ?? "other"
    case nil: break
    }
    return tags
  }

  /// Returns a text by which series are sorted.
  static func order(_ metric: Metric, _ tags: [String: String]) -> String {
    let sorted = tags.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    return metric.rawValue + sorted.joined()
  }
}

extension MeasuredFunction {
  /// The name of the function in C, without the object.
  fileprivate var name: String {
    switch self {
    case .acquireTokenSilent: "acquire_token_silent"
    case .acquireTokenInteractive: "acquire_token_interactive"
    case .acquireTokenByDeviceCode: "acquire_token_by_device_code"
    case .acquireTokenForClient: "acquire_token_for_client"
    case .beginSignIn: "begin_sign_in"
    case .completeSignIn: "complete_sign_in"
    case .removeAccount: "remove_account"
    case .signOut: "sign_out"
    }
  }
}

extension MetricSeries.Source {
  fileprivate var name: String {
    switch self {
    case .memory: "memory"
    case .store: "store"
    case .refresh: "refresh"
    case .network: "network"
    case .broker: "broker"
    }
  }
}

extension MetricSeries.Outcome {
  fileprivate var name: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .acquired: "acquired"
    case .busy: "busy"
    case .timeout: "timeout"
    case .cancelled: "cancelled"
    }
  }
}

extension MetricObservation {
  /// The tags as a JSON object.
  package var tagsDocument: String { JSONValue(tags).serialized }
}

extension MetricsSnapshot {
  /// The document "MetricsSnapshot" of docs/c-interface.md.
  package var json: JSONValue {
    [
      "counters": .array(counters.map(\.json)), "gauges": .array(gauges.map(\.json)),
      "histograms": .array(histograms.map(\.json)),
    ]
  }

  /// The document "MetricsSnapshot" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension MetricValue {
  fileprivate var json: JSONValue {
    var json = JSONObject(of: name, tags)
    json.append("value", .integer(value))
    return .object(json)
  }
}

extension MetricHistogram {
  fileprivate var json: JSONValue {
    var json = JSONObject(of: name, tags)
    json.append("count", .integer(count))
    json.append("sum", .integer(sum))
    json.append("bounds", .array(bounds.map(JSONValue.integer)))
    json.append("counts", .array(counts.map(JSONValue.integer)))
    return .object(json)
  }
}

extension JSONObject {
  /// Creates the members that all metrics have.
  fileprivate init(of metric: Metric, _ tags: [String: String]) {
    self.init()
    append("name", metric.rawValue)
    append("alias", metric.alias)
    append("unit", metric.unit.rawValue)
    append("tags", JSONValue(tags))
  }
}

extension JSONValue {
  /// Creates an object with sorted members.
  fileprivate init(_ tags: [String: String]) {
    var json = JSONObject()
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) { json.append(name, value) }
    self = .object(json)
  }
}
