// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to remove an account. */
public final class RemoveAccountRequest extends Document {
  RemoveAccountRequest(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String homeAccountId) {
    return new Builder(Map.of()).homeAccountId(homeAccountId);
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The account to remove. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /** The account to remove, if it has no ID yet (default: if <code>home_account_id</code> is empty). */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /**
   * The <code>environment</code> of the account (default: only if several providers use this
   * <code>home_account_id</code>).
   */
  public Optional<String> environment() {
    return find("environment", String.class);
  }

  /**
   * The maximum time to wait for the store; after <code>store_busy</code> nothing is removed (default: as in
   * AccountsRequest, for the whole call).
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type RemoveAccountRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The account to remove. */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /** The account to remove, if it has no ID yet (default: if <code>home_account_id</code> is empty). */
    public Builder username(String value) {
      put("username", value);
      return this;
    }

    /**
     * The <code>environment</code> of the account (default: only if several providers use this
     * <code>home_account_id</code>).
     */
    public Builder environment(String value) {
      put("environment", value);
      return this;
    }

    /**
     * The maximum time to wait for the store; after <code>store_busy</code> nothing is removed (default: as in
     * AccountsRequest, for the whole call).
     */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public RemoveAccountRequest build() {
      return new RemoveAccountRequest(copy());
    }
  }
}
