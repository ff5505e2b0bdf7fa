// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "MetricValue". */
public final class MetricValue extends Document {
  MetricValue(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static MetricValue fromJson(String text) {
    return new MetricValue(Json.parse(text));
  }

  /**
   * The name of the metric. The value is <code>calls_succeeded</code>, <code>calls_failed</code>,
   * <code>calls_throttled</code>, <code>refreshes_adopted</code>, <code>commits_superseded</code>,
   * <code>commits_queued</code>, <code>cached_responses</code> or <code>cached_response_bytes</code>.
   */
  public String name() {
    return find("name", String.class).orElse("");
  }

  /** The name of the same metric in MSAL for .NET. Present if there is one. */
  public Optional<String> alias() {
    return find("alias", String.class);
  }

  /** The unit of the value. The value is <code>count</code> or <code>bytes</code>. */
  public String unit() {
    return find("unit", String.class).orElse("");
  }

  /** The tags of the metric, such as <code>function</code>; empty for a metric without tags. */
  public Map<String, String> tags() {
    return map("tags");
  }

  /** The value. */
  public long value() {
    return findNumber("value").orElse(0);
  }
}
