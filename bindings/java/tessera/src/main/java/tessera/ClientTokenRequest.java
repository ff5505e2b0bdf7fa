// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request for a token of the application itself. */
public final class ClientTokenRequest extends Document {
  ClientTokenRequest(Map<String, Object> members) {
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

  /** The requested scopes; at Entra, the <code>/.default</code> scope of one resource. */
  public List<String> scopes() {
    return list("scopes");
  }

  /** As in SilentRequest, instead of <code>scopes</code>. */
  public Optional<String> resource() {
    return find("resource", String.class);
  }

  /** The authority that issues the token (default: the application's). */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /**
   * Instead of <code>authority</code>, only for Entra: the ID or a domain of the tenant, at the host of the
   * application's authority.
   */
  public Optional<String> tenant() {
    return find("tenant", String.class);
  }

  /**
   * A claims challenge of a resource, as the text of a JSON object. The cached token is then not used, unless
   * <code>token_sha256_to_refresh</code> identifies the rejected one.
   */
  public Optional<String> claims() {
    return find("claims", String.class);
  }

  /** Whether to request a new token even if the cached one is valid (default: <code>false</code>). */
  public boolean forceRefresh() {
    return find("force_refresh", Boolean.class).orElse(false);
  }

  /**
   * The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached token with this
   * digest is not used; a newer one is.
   */
  public Optional<String> tokenSha256ToRefresh() {
    return find("token_sha256_to_refresh", String.class);
  }

  /** As in SilentRequest. */
  public Map<String, String> extraTokenParameters() {
    return map("extra_token_parameters");
  }

  /** As in SilentRequest. */
  public Map<String, String> extraQueryParameters() {
    return map("extra_query_parameters");
  }

  /**
   * The deadline of the call, after which it fails with <code>deadline_exceeded</code> (default: as in
   * SilentRequest).
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** An ID for the server's log (default: a new UUID). */
  public Optional<String> correlationId() {
    return find("correlation_id", String.class);
  }

  /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
  public Optional<String> traceparent() {
    return find("traceparent", String.class);
  }

  /** The <code>tracestate</code> of the trace, only with <code>traceparent</code>. */
  public Optional<String> tracestate() {
    return find("tracestate", String.class);
  }

  /** Builds an object of type ClientTokenRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The requested scopes; at Entra, the <code>/.default</code> scope of one resource. */
    public Builder scopes(List<String> value) {
      put("scopes", value);
      return this;
    }

    /** The requested scopes; at Entra, the <code>/.default</code> scope of one resource. */
    public Builder scopes(String... values) {
      return scopes(List.of(values));
    }

    /** As in SilentRequest, instead of <code>scopes</code>. */
    public Builder resource(String value) {
      put("resource", value);
      return this;
    }

    /** The authority that issues the token (default: the application's). */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /**
     * Instead of <code>authority</code>, only for Entra: the ID or a domain of the tenant, at the host of the
     * application's authority.
     */
    public Builder tenant(String value) {
      put("tenant", value);
      return this;
    }

    /**
     * A claims challenge of a resource, as the text of a JSON object. The cached token is then not used, unless
     * <code>token_sha256_to_refresh</code> identifies the rejected one.
     */
    public Builder claims(String value) {
      put("claims", value);
      return this;
    }

    /** Whether to request a new token even if the cached one is valid (default: <code>false</code>). */
    public Builder forceRefresh(boolean value) {
      put("force_refresh", value);
      return this;
    }

    /**
     * The SHA-256 of an access token that a resource rejected, in hexadecimal digits. A cached token with this
     * digest is not used; a newer one is.
     */
    public Builder tokenSha256ToRefresh(String value) {
      put("token_sha256_to_refresh", value);
      return this;
    }

    /** As in SilentRequest. */
    public Builder extraTokenParameters(Map<String, String> value) {
      put("extra_token_parameters", value);
      return this;
    }

    /** As in SilentRequest. */
    public Builder extraQueryParameters(Map<String, String> value) {
      put("extra_query_parameters", value);
      return this;
    }

    /**
     * The deadline of the call, after which it fails with <code>deadline_exceeded</code> (default: as in
     * SilentRequest).
     */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** An ID for the server's log (default: a new UUID). */
    public Builder correlationId(String value) {
      put("correlation_id", value);
      return this;
    }

    /** The position of the call in a trace, as in metrics.md; it is sent to the provider unchanged. */
    public Builder traceparent(String value) {
      put("traceparent", value);
      return this;
    }

    /** The <code>tracestate</code> of the trace, only with <code>traceparent</code>. */
    public Builder tracestate(String value) {
      put("tracestate", value);
      return this;
    }

    /** Returns the object. */
    public ClientTokenRequest build() {
      return new ClientTokenRequest(copy());
    }
  }
}
