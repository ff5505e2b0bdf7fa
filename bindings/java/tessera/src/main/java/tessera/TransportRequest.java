// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "TransportRequest". */
public final class TransportRequest extends Document {
  TransportRequest(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static TransportRequest fromJson(String text) {
    return new TransportRequest(Json.parse(text));
  }

  /** <code>GET</code> or <code>POST</code>. */
  public String method() {
    return find("method", String.class).orElse("");
  }

  /** The absolute URL, with https; with http only for this machine, and then without a proxy. */
  public String url() {
    return find("url", String.class).orElse("");
  }

  /**
   * The header fields, each as <code>Name: value</code>. The client adds <code>Host</code> and <code>Content-
   * Length</code>.
   */
  public List<String> headers() {
    return list("headers");
  }

  /** The body. It contains secrets. Present if the request has a body. */
  public Optional<String> body() {
    return find("body", String.class);
  }

  /**
   * The time until the response must be complete, at least 1: the smaller of
   * <code>network.timeout_milliseconds</code> and the remaining time of the call.
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }
}
