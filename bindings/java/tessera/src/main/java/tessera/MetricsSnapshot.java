// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "MetricsSnapshot". */
public final class MetricsSnapshot extends Document {
  MetricsSnapshot(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static MetricsSnapshot fromJson(String text) {
    return new MetricsSnapshot(Json.parse(text));
  }

  /** The numbers of events since the application was created. */
  public List<MetricValue> counters() {
    return list("counters", MetricValue::new);
  }

  /** The present values. */
  public List<MetricValue> gauges() {
    return list("gauges", MetricValue::new);
  }

  /** The distributions of values since the application was created. */
  public List<MetricHistogram> histograms() {
    return list("histograms", MetricHistogram::new);
  }
}
