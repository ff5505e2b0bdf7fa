// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to copy sign-ins from another store. */
public final class CopyRequest extends Document {
  CopyRequest(Map<String, Object> members) {
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

  /** The only account to copy (default: all accounts, and records without an account). */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /** Whether only to report, without storing anything (default: <code>false</code>). */
  public boolean dryRun() {
    return find("dry_run", Boolean.class).orElse(false);
  }

  /** The timeout of the whole call (default: as in AccountsRequest). */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type CopyRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The only account to copy (default: all accounts, and records without an account). */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /** Whether only to report, without storing anything (default: <code>false</code>). */
    public Builder dryRun(boolean value) {
      put("dry_run", value);
      return this;
    }

    /** The timeout of the whole call (default: as in AccountsRequest). */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public CopyRequest build() {
      return new CopyRequest(copy());
    }
  }
}
