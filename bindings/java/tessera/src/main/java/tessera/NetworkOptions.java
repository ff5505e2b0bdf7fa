// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The options of the network. */
public final class NetworkOptions extends Document {
  NetworkOptions(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder(Map.of());
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /**
   * The proxy, such as <code>http://proxy.example:8080</code>; empty for none. Addresses of this machine are never
   * reached through a proxy (default: <code>https_proxy</code>, <code>http_proxy</code>, <code>all_proxy</code> of
   * the environment).
   */
  public Optional<String> proxy() {
    return find("proxy", String.class);
  }

  /**
   * The hosts to reach without the proxy, separated by commas (default: <code>no_proxy</code> of the environment).
   */
  public Optional<String> noProxy() {
    return find("no_proxy", String.class);
  }

  /**
   * A file of CA certificates (PEM) to trust instead (default: <code>CURL_CA_BUNDLE</code>, or else
   * <code>SSL_CERT_FILE</code>, and <code>SSL_CERT_DIR</code>, of the environment; or else the system's
   * certificates).
   */
  public Optional<String> caFile() {
    return find("ca_file", String.class);
  }

  /** The timeout of one exchange with a server. Connecting may use at most 10 seconds of it (default: 30000). */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /**
   * The timeout for refreshing a token that is still valid but whose <code>refresh_on</code> has passed (default:
   * 5000).
   */
  public Optional<Duration> proactiveRefreshTimeout() {
    return find("proactive_refresh_timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type NetworkOptions. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The proxy, such as <code>http://proxy.example:8080</code>; empty for none. Addresses of this machine are
     * never reached through a proxy (default: <code>https_proxy</code>, <code>http_proxy</code>,
     * <code>all_proxy</code> of the environment).
     */
    public Builder proxy(String value) {
      put("proxy", value);
      return this;
    }

    /**
     * The hosts to reach without the proxy, separated by commas (default: <code>no_proxy</code> of the
     * environment).
     */
    public Builder noProxy(String value) {
      put("no_proxy", value);
      return this;
    }

    /**
     * A file of CA certificates (PEM) to trust instead (default: <code>CURL_CA_BUNDLE</code>, or else
     * <code>SSL_CERT_FILE</code>, and <code>SSL_CERT_DIR</code>, of the environment; or else the system's
     * certificates).
     */
    public Builder caFile(String value) {
      put("ca_file", value);
      return this;
    }

    /** The timeout of one exchange with a server. Connecting may use at most 10 seconds of it (default: 30000). */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /**
     * The timeout for refreshing a token that is still valid but whose <code>refresh_on</code> has passed
     * (default: 5000).
     */
    public Builder proactiveRefreshTimeout(Duration value) {
      put("proactive_refresh_timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public NetworkOptions build() {
      return new NetworkOptions(copy());
    }
  }
}
