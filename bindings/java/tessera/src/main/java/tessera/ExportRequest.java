// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to export sign-ins to an older cache. */
public final class ExportRequest extends Document {
  ExportRequest(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String format) {
    return new Builder(Map.of()).format(format);
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /**
   * The format that the older library reads. The value is <code>apple_keychain</code> or <code>adal_macos</code>.
   */
  public String format() {
    return find("format", String.class).orElse("");
  }

  /** The account (default: all accounts). */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /** The timeout of the whole call (default: as in AccountsRequest). */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type ExportRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The format that the older library reads. The value is <code>apple_keychain</code> or
     * <code>adal_macos</code>.
     */
    public Builder format(String value) {
      put("format", value);
      return this;
    }

    /** The account (default: all accounts). */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /** The timeout of the whole call (default: as in AccountsRequest). */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public ExportRequest build() {
      return new ExportRequest(copy());
    }
  }
}
