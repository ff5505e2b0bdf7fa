// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request to begin a sign-in. */
public final class SignInRequest extends Document {
  SignInRequest(Map<String, Object> members) {
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

  /** Scopes to consent to now, for later tokens of other resources. */
  public List<String> extraScopesToConsent() {
    return list("extra_scopes_to_consent");
  }

  /** Another authority (default: the application's). */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /** The account that must sign in (default: any account). */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /** Whether another account than <code>home_account_id</code> may sign in (default: <code>false</code>). */
  public boolean acceptOtherAccount() {
    return find("accept_other_account", Boolean.class).orElse(false);
  }

  /** The user name to fill in on the page (default: the account's user name). */
  public Optional<String> loginHint() {
    return find("login_hint", String.class);
  }

  /** The domain of the user's organization. */
  public Optional<String> domainHint() {
    return find("domain_hint", String.class);
  }

  /**
   * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core section 3.1.2.1).
   */
  public Optional<String> uiLocales() {
    return find("ui_locales", String.class);
  }

  /**
   * The <code>prompt</code> parameter of OpenID Connect. The value is <code>select_account</code>,
   * <code>login</code>, <code>consent</code>, <code>create</code> or <code>none</code> (default: chosen by the
   * provider).
   */
  public Optional<String> prompt() {
    return find("prompt", String.class);
  }

  /** The <code>claims</code> of the error that made this sign-in necessary. */
  public Optional<String> claims() {
    return find("claims", String.class);
  }

  /** Parameters to add to the URL of the page. */
  public Map<String, String> extraQueryParameters() {
    return map("extra_query_parameters");
  }

  /** Parameters to add to the body of the token request. They take precedence over the configuration. */
  public Map<String, String> extraTokenParameters() {
    return map("extra_token_parameters");
  }

  /**
   * The <code>response_mode</code> of the authorization request. The value is <code>query</code> or
   * <code>form_post</code> (default: <code>query</code>).
   */
  public Optional<String> responseMode() {
    return find("response_mode", String.class);
  }

  /** The deadline of the call. */
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

  /**
   * The delivery of the redirect: the host application observes the navigation of its page, or the system opens
   * the redirect URI. In the second case its scheme must be registered. The value is <code>host</code> or
   * <code>system</code> (default: <code>host</code>).
   */
  public Optional<String> delivery() {
    return find("delivery", String.class);
  }

  /** The only application that may open the redirect URI (default: any). */
  public Optional<String> sourceApplication() {
    return find("source_application", String.class);
  }

  /**
   * Signs in with Microsoft Authenticator on Apple's systems; <code>url</code> is then the URL that opens it. See
   * brokers.md (default: none: a page).
   */
  public Optional<AuthenticatorOptions> authenticator() {
    return findDocument("authenticator", AuthenticatorOptions::new);
  }

  /** The lifetime of the sign-in (default: 3600). */
  public Optional<Duration> lifetime() {
    return find("lifetime_seconds", Long.class).map(Duration::ofSeconds);
  }

  /** Builds an object of type SignInRequest. A member that is set to null is left out. */
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

    /** Scopes to consent to now, for later tokens of other resources. */
    public Builder extraScopesToConsent(List<String> value) {
      put("extra_scopes_to_consent", value);
      return this;
    }

    /** Scopes to consent to now, for later tokens of other resources. */
    public Builder extraScopesToConsent(String... values) {
      return extraScopesToConsent(List.of(values));
    }

    /** Another authority (default: the application's). */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /** The account that must sign in (default: any account). */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /** Whether another account than <code>home_account_id</code> may sign in (default: <code>false</code>). */
    public Builder acceptOtherAccount(boolean value) {
      put("accept_other_account", value);
      return this;
    }

    /** The user name to fill in on the page (default: the account's user name). */
    public Builder loginHint(String value) {
      put("login_hint", value);
      return this;
    }

    /** The domain of the user's organization. */
    public Builder domainHint(String value) {
      put("domain_hint", value);
      return this;
    }

    /**
     * The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core section
     * 3.1.2.1).
     */
    public Builder uiLocales(String value) {
      put("ui_locales", value);
      return this;
    }

    /**
     * The <code>prompt</code> parameter of OpenID Connect. The value is <code>select_account</code>,
     * <code>login</code>, <code>consent</code>, <code>create</code> or <code>none</code> (default: chosen by the
     * provider).
     */
    public Builder prompt(String value) {
      put("prompt", value);
      return this;
    }

    /** The <code>claims</code> of the error that made this sign-in necessary. */
    public Builder claims(String value) {
      put("claims", value);
      return this;
    }

    /** Parameters to add to the URL of the page. */
    public Builder extraQueryParameters(Map<String, String> value) {
      put("extra_query_parameters", value);
      return this;
    }

    /** Parameters to add to the body of the token request. They take precedence over the configuration. */
    public Builder extraTokenParameters(Map<String, String> value) {
      put("extra_token_parameters", value);
      return this;
    }

    /**
     * The <code>response_mode</code> of the authorization request. The value is <code>query</code> or
     * <code>form_post</code> (default: <code>query</code>).
     */
    public Builder responseMode(String value) {
      put("response_mode", value);
      return this;
    }

    /** The deadline of the call. */
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

    /**
     * The delivery of the redirect: the host application observes the navigation of its page, or the system opens
     * the redirect URI. In the second case its scheme must be registered. The value is <code>host</code> or
     * <code>system</code> (default: <code>host</code>).
     */
    public Builder delivery(String value) {
      put("delivery", value);
      return this;
    }

    /** The only application that may open the redirect URI (default: any). */
    public Builder sourceApplication(String value) {
      put("source_application", value);
      return this;
    }

    /**
     * Signs in with Microsoft Authenticator on Apple's systems; <code>url</code> is then the URL that opens it.
     * See brokers.md (default: none: a page).
     */
    public Builder authenticator(AuthenticatorOptions value) {
      put("authenticator", value);
      return this;
    }

    /** The lifetime of the sign-in (default: 3600). */
    public Builder lifetime(Duration value) {
      put("lifetime_seconds", value == null ? null : value.toSeconds());
      return this;
    }

    /** Returns the object. */
    public SignInRequest build() {
      return new SignInRequest(copy());
    }
  }
}
