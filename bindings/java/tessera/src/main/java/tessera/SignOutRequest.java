// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to sign out. */
public final class SignOutRequest extends Document {
  SignOutRequest(Map<String, Object> members) {
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

  /** The account to sign out. */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /** The account to sign out, if it has no ID yet (default: if <code>home_account_id</code> is empty). */
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
   * The extent: this client ID; every client ID that shares the store; or all accounts of all applications.
   * <code>machine</code> empties the store of the group and deletes its quarantined databases. The value is
   * <code>application</code>, <code>every_application</code> or <code>machine</code> (default:
   * <code>application</code>).
   */
  public Optional<String> scope() {
    return find("scope", String.class);
  }

  /**
   * Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it. If another
   * provider's OpenID document has no revocation endpoint, its RFC 8414 metadata (<code>/.well-known/oauth-
   * authorization-server</code>) is read (default: <code>false</code>).
   */
  public boolean revokeTokens() {
    return find("revoke_tokens", Boolean.class).orElse(false);
  }

  /** Whether to return the URL that ends the browser session (default: <code>false</code>). */
  public boolean endSession() {
    return find("end_session", Boolean.class).orElse(false);
  }

  /** The URL to which the browser is redirected after that. It must be registered with the provider. */
  public Optional<String> postLogoutRedirectUri() {
    return find("post_logout_redirect_uri", String.class);
  }

  /**
   * Whether the identity broker of this machine removes the account of this application as well; for
   * <code>machine</code>, all its accounts. See brokers.md (default: <code>false</code>).
   */
  public boolean fromBroker() {
    return find("from_broker", Boolean.class).orElse(false);
  }

  /** The provider that receives the requests (default: the application's). */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /** The deadline of the call (default: as in SilentRequest). */
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

  /** Builds an object of type SignOutRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The account to sign out. */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /** The account to sign out, if it has no ID yet (default: if <code>home_account_id</code> is empty). */
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
     * The extent: this client ID; every client ID that shares the store; or all accounts of all applications.
     * <code>machine</code> empties the store of the group and deletes its quarantined databases. The value is
     * <code>application</code>, <code>every_application</code> or <code>machine</code> (default:
     * <code>application</code>).
     */
    public Builder scope(String value) {
      put("scope", value);
      return this;
    }

    /**
     * Whether to revoke the refresh tokens at the provider (RFC 7009). Entra does not support it. If another
     * provider's OpenID document has no revocation endpoint, its RFC 8414 metadata (<code>/.well-known/oauth-
     * authorization-server</code>) is read (default: <code>false</code>).
     */
    public Builder revokeTokens(boolean value) {
      put("revoke_tokens", value);
      return this;
    }

    /** Whether to return the URL that ends the browser session (default: <code>false</code>). */
    public Builder endSession(boolean value) {
      put("end_session", value);
      return this;
    }

    /** The URL to which the browser is redirected after that. It must be registered with the provider. */
    public Builder postLogoutRedirectUri(String value) {
      put("post_logout_redirect_uri", value);
      return this;
    }

    /**
     * Whether the identity broker of this machine removes the account of this application as well; for
     * <code>machine</code>, all its accounts. See brokers.md (default: <code>false</code>).
     */
    public Builder fromBroker(boolean value) {
      put("from_broker", value);
      return this;
    }

    /** The provider that receives the requests (default: the application's). */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /** The deadline of the call (default: as in SilentRequest). */
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
    public SignOutRequest build() {
      return new SignOutRequest(copy());
    }
  }
}
