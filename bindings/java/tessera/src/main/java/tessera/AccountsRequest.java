// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request for accounts. */
public final class AccountsRequest extends Document {
  AccountsRequest(Map<String, Object> members) {
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
   * The account with this ID. Entra IDs are compared without regard to case, IDs of other providers exactly, like
   * subjects (default: any account).
   */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /**
   * The accounts with this user name in any tenant, without regard to case. User names change and are reused, so
   * several accounts may have the same one (default: any account).
   */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /** The account with this ID in one of its tenants (default: any account). */
  public Optional<String> localAccountId() {
    return find("local_account_id", String.class);
  }

  /** The <code>environment</code> of the account, or another host of the same cloud (default: any host). */
  public Optional<String> environment() {
    return find("environment", String.class);
  }

  /**
   * <code>false</code> also returns accounts that signed out of this application, and accounts of other
   * applications (default: <code>true</code>).
   */
  public boolean signedInOnly() {
    return find("signed_in_only", Boolean.class).orElse(false);
  }

  /**
   * <code>true</code> adds the <code>claims</code> of this application's ID tokens, which takes longer (default:
   * <code>false</code>).
   */
  public boolean claims() {
    return find("claims", Boolean.class).orElse(false);
  }

  /**
   * The maximum time to wait for a store that another process has locked; after that, the error is
   * <code>store_busy</code> (default: 10 seconds for each access to the store).
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type AccountsRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The account with this ID. Entra IDs are compared without regard to case, IDs of other providers exactly,
     * like subjects (default: any account).
     */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /**
     * The accounts with this user name in any tenant, without regard to case. User names change and are reused, so
     * several accounts may have the same one (default: any account).
     */
    public Builder username(String value) {
      put("username", value);
      return this;
    }

    /** The account with this ID in one of its tenants (default: any account). */
    public Builder localAccountId(String value) {
      put("local_account_id", value);
      return this;
    }

    /** The <code>environment</code> of the account, or another host of the same cloud (default: any host). */
    public Builder environment(String value) {
      put("environment", value);
      return this;
    }

    /**
     * <code>false</code> also returns accounts that signed out of this application, and accounts of other
     * applications (default: <code>true</code>).
     */
    public Builder signedInOnly(boolean value) {
      put("signed_in_only", value);
      return this;
    }

    /**
     * <code>true</code> adds the <code>claims</code> of this application's ID tokens, which takes longer (default:
     * <code>false</code>).
     */
    public Builder claims(boolean value) {
      put("claims", value);
      return this;
    }

    /**
     * The maximum time to wait for a store that another process has locked; after that, the error is
     * <code>store_busy</code> (default: 10 seconds for each access to the store).
     */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public AccountsRequest build() {
      return new AccountsRequest(copy());
    }
  }
}
