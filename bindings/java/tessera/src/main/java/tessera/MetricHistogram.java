// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "MetricHistogram". */
public final class MetricHistogram extends Document {
  MetricHistogram(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static MetricHistogram fromJson(String text) {
    return new MetricHistogram(Json.parse(text));
  }

  /**
   * The name of the metric. The value is <code>call_duration</code>, <code>http_duration</code>,
   * <code>store_duration</code>, <code>lock_wait</code> or <code>token_lifetime</code>.
   */
  public String name() {
    return find("name", String.class).orElse("");
  }

  /** The name of the same metric in MSAL for .NET. Present if there is one. */
  public Optional<String> alias() {
    return find("alias", String.class);
  }

  /** The unit of the values and of the bounds. The value is <code>microseconds</code> or <code>seconds</code>. */
  public String unit() {
    return find("unit", String.class).orElse("");
  }

  /** The tags of the metric. */
  public Map<String, String> tags() {
    return map("tags");
  }

  /** The number of values. */
  public long count() {
    return findNumber("count").orElse(0);
  }

  /** The sum of all values. */
  public long sum() {
    return findNumber("sum").orElse(0);
  }

  /** The inclusive upper bounds of the buckets, without the last bucket, which has none. */
  public List<Long> bounds() {
    return list("bounds");
  }

  /** The number of values in each bucket, one more than <code>bounds</code>. */
  public List<Long> counts() {
    return list("counts");
  }
}
