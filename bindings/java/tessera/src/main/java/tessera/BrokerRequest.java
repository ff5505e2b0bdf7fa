// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to the broker. */
public final class BrokerRequest extends Document {
  BrokerRequest(Map<String, Object> members) {
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

  /** The authority of the account (default: the application's). */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a signature, 40 for
   * cookies).
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** An ID for the log of the server and of the broker (default: a new UUID). */
  public Optional<String> correlationId() {
    return find("correlation_id", String.class);
  }

  /** Builds an object of type BrokerRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The authority of the account (default: the application's). */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /**
     * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a signature, 40 for
     * cookies).
     */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** An ID for the log of the server and of the broker (default: a new UUID). */
    public Builder correlationId(String value) {
      put("correlation_id", value);
      return this;
    }

    /** Returns the object. */
    public BrokerRequest build() {
      return new BrokerRequest(copy());
    }
  }
}
