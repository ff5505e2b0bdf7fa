// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request for a cookie of the broker. */
public final class BrokerCookieRequest extends Document {
  BrokerCookieRequest(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String homeAccountId, String ssoUrl) {
    return new Builder(Map.of()).homeAccountId(homeAccountId).ssoUrl(ssoUrl);
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

  /** The account to sign in. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /**
   * The sign-in page, with https and in the authority's cloud, including the <code>sso_nonce</code> that the page
   * sent.
   */
  public String ssoUrl() {
    return find("sso_url", String.class).orElse("");
  }

  /** The scopes that the browser requests (default: Graph's). */
  public List<String> scopes() {
    return list("scopes");
  }

  /** Builds an object of type BrokerCookieRequest. A member that is set to null is left out. */
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

    /** The account to sign in. */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /**
     * The sign-in page, with https and in the authority's cloud, including the <code>sso_nonce</code> that the
     * page sent.
     */
    public Builder ssoUrl(String value) {
      put("sso_url", value);
      return this;
    }

    /** The scopes that the browser requests (default: Graph's). */
    public Builder scopes(List<String> value) {
      put("scopes", value);
      return this;
    }

    /** The scopes that the browser requests (default: Graph's). */
    public Builder scopes(String... values) {
      return scopes(List.of(values));
    }

    /** Returns the object. */
    public BrokerCookieRequest build() {
      return new BrokerCookieRequest(copy());
    }
  }
}
