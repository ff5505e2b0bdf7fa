// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request for an explanation. */
public final class ExplainRequest extends Document {
  ExplainRequest(Map<String, Object> members) {
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
   * The account, with the value from <code>Account</code>. A user name as the value is rejected with
   * <code>invalid_member</code>. Without <code>home_account_id</code> and <code>username</code>, the request is
   * for the only account. If there are several, the error is <code>ambiguous_account</code> with
   * <code>accounts</code>; if there is none, <code>account_not_found</code> (default: the only account).
   */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /**
   * The user name of the account in any tenant, without regard to case (ADAL: <code>userId</code>). If several
   * accounts have this name, the error is <code>ambiguous_account</code> (default: if <code>home_account_id</code>
   * is empty).
   */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /**
   * The <code>environment</code> of the account. It prevents confusion with an account of another provider that
   * has the same ID. Without an <code>authority</code>, the request is sent to the provider of the account; with
   * the authority of another provider, the error is <code>interaction_required</code> (default: any provider).
   */
  public Optional<String> environment() {
    return find("environment", String.class);
  }

  /**
   * Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another library stored in
   * the shared cache. Remove <code>home_account_id</code> and <code>username</code>. The token is never requested
   * from a server: without a valid one the status is <code>TESSERA_STATUS_SIGN_IN</code>, and the other library
   * must acquire one. The <code>account</code> of the result has an empty <code>home_account_id</code> (default:
   * <code>false</code>).
   */
  public boolean forApplication() {
    return find("for_application", Boolean.class).orElse(false);
  }

  /**
   * The scopes that the token must cover. <code>openid</code>, <code>profile</code> and
   * <code>offline_access</code> are added, and ignored here. <code>["openid"]</code> alone requests only an ID
   * token. Scopes are compared as sets, without regard to case.
   */
  public List<String> scopes() {
    return list("scopes");
  }

  /**
   * Instead of <code>scopes</code>: all permissions that were granted to the application at a resource, as in
   * ADAL. <code>/.default</code> is appended without change, so a resource that ends in a slash gets two slashes,
   * as Entra requires.
   */
  public Optional<String> resource() {
    return find("resource", String.class);
  }

  /**
   * Another tenant, or another issuer (default: that of the account's provider if <code>environment</code> names
   * another one, otherwise the application's).
   */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /** Whether to send a request to the server even if a valid token is cached (default: <code>false</code>). */
  public boolean forceRefresh() {
    return find("force_refresh", Boolean.class).orElse(false);
  }

  /**
   * The text of a JSON object: the <code>claims</code> of an error, or of a resource's claims challenge. The
   * cached token is not used then. An object that requests nothing, such as <code>{}</code>, has no effect.
   */
  public Optional<String> claims() {
    return find("claims", String.class);
  }

  /**
   * As in AdvancedOptions, for this request. They take precedence over the configuration. Cached tokens are used
   * regardless of them.
   */
  public Map<String, String> extraTokenParameters() {
    return map("extra_token_parameters");
  }

  /** As in AdvancedOptions, with the same precedence. */
  public Map<String, String> extraQueryParameters() {
    return map("extra_query_parameters");
  }

  /**
   * The deadline of the call, after which it fails with <code>deadline_exceeded</code>. Without it,
   * <code>timeout_milliseconds</code> of NetworkOptions limits each exchange. The call then fails with
   * <code>store_busy</code> after 10 seconds of waiting for a locked store, or 60 seconds for another process that
   * refreshes the same credential. A valid cached token is returned even if the value is 0.
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

  /** Builds an object of type ExplainRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The account, with the value from <code>Account</code>. A user name as the value is rejected with
     * <code>invalid_member</code>. Without <code>home_account_id</code> and <code>username</code>, the request is
     * for the only account. If there are several, the error is <code>ambiguous_account</code> with
     * <code>accounts</code>; if there is none, <code>account_not_found</code> (default: the only account).
     */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /**
     * The user name of the account in any tenant, without regard to case (ADAL: <code>userId</code>). If several
     * accounts have this name, the error is <code>ambiguous_account</code> (default: if
     * <code>home_account_id</code> is empty).
     */
    public Builder username(String value) {
      put("username", value);
      return this;
    }

    /**
     * The <code>environment</code> of the account. It prevents confusion with an account of another provider that
     * has the same ID. Without an <code>authority</code>, the request is sent to the provider of the account; with
     * the authority of another provider, the error is <code>interaction_required</code> (default: any provider).
     */
    public Builder environment(String value) {
      put("environment", value);
      return this;
    }

    /**
     * Requests an app-only token (RFC 6749 section 4.4), which a confidential client of another library stored in
     * the shared cache. Remove <code>home_account_id</code> and <code>username</code>. The token is never
     * requested from a server: without a valid one the status is <code>TESSERA_STATUS_SIGN_IN</code>, and the
     * other library must acquire one. The <code>account</code> of the result has an empty
     * <code>home_account_id</code> (default: <code>false</code>).
     */
    public Builder forApplication(boolean value) {
      put("for_application", value);
      return this;
    }

    /**
     * The scopes that the token must cover. <code>openid</code>, <code>profile</code> and
     * <code>offline_access</code> are added, and ignored here. <code>["openid"]</code> alone requests only an ID
     * token. Scopes are compared as sets, without regard to case.
     */
    public Builder scopes(List<String> value) {
      put("scopes", value);
      return this;
    }

    /**
     * The scopes that the token must cover. <code>openid</code>, <code>profile</code> and
     * <code>offline_access</code> are added, and ignored here. <code>["openid"]</code> alone requests only an ID
     * token. Scopes are compared as sets, without regard to case.
     */
    public Builder scopes(String... values) {
      return scopes(List.of(values));
    }

    /**
     * Instead of <code>scopes</code>: all permissions that were granted to the application at a resource, as in
     * ADAL. <code>/.default</code> is appended without change, so a resource that ends in a slash gets two
     * slashes, as Entra requires.
     */
    public Builder resource(String value) {
      put("resource", value);
      return this;
    }

    /**
     * Another tenant, or another issuer (default: that of the account's provider if <code>environment</code> names
     * another one, otherwise the application's).
     */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /** Whether to send a request to the server even if a valid token is cached (default: <code>false</code>). */
    public Builder forceRefresh(boolean value) {
      put("force_refresh", value);
      return this;
    }

    /**
     * The text of a JSON object: the <code>claims</code> of an error, or of a resource's claims challenge. The
     * cached token is not used then. An object that requests nothing, such as <code>{}</code>, has no effect.
     */
    public Builder claims(String value) {
      put("claims", value);
      return this;
    }

    /**
     * As in AdvancedOptions, for this request. They take precedence over the configuration. Cached tokens are used
     * regardless of them.
     */
    public Builder extraTokenParameters(Map<String, String> value) {
      put("extra_token_parameters", value);
      return this;
    }

    /** As in AdvancedOptions, with the same precedence. */
    public Builder extraQueryParameters(Map<String, String> value) {
      put("extra_query_parameters", value);
      return this;
    }

    /**
     * The deadline of the call, after which it fails with <code>deadline_exceeded</code>. Without it,
     * <code>timeout_milliseconds</code> of NetworkOptions limits each exchange. The call then fails with
     * <code>store_busy</code> after 10 seconds of waiting for a locked store, or 60 seconds for another process
     * that refreshes the same credential. A valid cached token is returned even if the value is 0.
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
    public ExplainRequest build() {
      return new ExplainRequest(copy());
    }
  }
}
