// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request for a token by device code. */
public final class DeviceCodeRequest extends Document {
  DeviceCodeRequest(Map<String, Object> members) {
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

  /** As in SilentRequest. */
  public List<String> scopes() {
    return list("scopes");
  }

  /** As in SilentRequest, instead of <code>scopes</code>. */
  public Optional<String> resource() {
    return find("resource", String.class);
  }

  /** The authority to sign in at (default: the application's). */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /** The text of a JSON object: the <code>claims</code> of the error that made this sign-in necessary. */
  public Optional<String> claims() {
    return find("claims", String.class);
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
   * Whether the result has an <code>explanation</code> (explain.md) with the duration of each step (default:
   * <code>false</code>).
   */
  public boolean explain() {
    return find("explain", Boolean.class).orElse(false);
  }

  /**
   * The deadline of the call, after which it fails with <code>deadline_exceeded</code> (default: the lifetime of
   * the code).
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

  /** Builds an object of type DeviceCodeRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** As in SilentRequest. */
    public Builder scopes(List<String> value) {
      put("scopes", value);
      return this;
    }

    /** As in SilentRequest. */
    public Builder scopes(String... values) {
      return scopes(List.of(values));
    }

    /** As in SilentRequest, instead of <code>scopes</code>. */
    public Builder resource(String value) {
      put("resource", value);
      return this;
    }

    /** The authority to sign in at (default: the application's). */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /** The text of a JSON object: the <code>claims</code> of the error that made this sign-in necessary. */
    public Builder claims(String value) {
      put("claims", value);
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
     * Whether the result has an <code>explanation</code> (explain.md) with the duration of each step (default:
     * <code>false</code>).
     */
    public Builder explain(boolean value) {
      put("explain", value);
      return this;
    }

    /**
     * The deadline of the call, after which it fails with <code>deadline_exceeded</code> (default: the lifetime of
     * the code).
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
    public DeviceCodeRequest build() {
      return new DeviceCodeRequest(copy());
    }
  }
}
