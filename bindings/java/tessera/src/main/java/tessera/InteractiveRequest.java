// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A request for a non-blocking sign-in in a browser. */
public final class InteractiveRequest extends Document {
  InteractiveRequest(Map<String, Object> members) {
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

  /**
   * Parameters to add to the body of the token request, and of a silent request. They take precedence over the
   * configuration.
   */
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

  /** The deadline of the call (default: 1 hour). */
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
   * Whether to try a silent request first, for <code>home_account_id</code> or for the only account that matches
   * <code>login_hint</code>. The page is opened only if it fails with the remedy <code>sign_in</code>, or returns
   * a token with declined scopes: such an application opens a page at each call for as long as the server declines
   * them (default: <code>false</code>).
   */
  public boolean silentFirst() {
    return find("silent_first", Boolean.class).orElse(false);
  }

  /**
   * Whether to open the user's browser: according to the table, always, or never. The value is
   * <code>automatic</code>, <code>open</code> or <code>show</code> (default: <code>automatic</code>).
   */
  public Optional<String> browser() {
    return find("browser", String.class);
  }

  /**
   * The location of the page: in the user's browser, or in a window of the program <code>tessera-webview</code>;
   * see webview.md. The value is <code>default</code> or <code>embedded</code> (default: <code>default</code>).
   */
  public Optional<String> webviewType() {
    return find("webview_type", String.class);
  }

  /** Whether an embedded web view starts without cookies and stores none (default: <code>true</code>). */
  public boolean prefersEphemeralWebBrowserSession() {
    return find("prefers_ephemeral_web_browser_session", Boolean.class).orElse(false);
  }

  /** The absolute path of <code>tessera-webview</code> (default: the installed one). */
  public Optional<String> webviewProgram() {
    return find("webview_program", String.class);
  }

  /**
   * The HTML page to show after the provider's if the sign-in succeeded; see interactive.md (default: built in).
   */
  public Optional<String> successPage() {
    return find("success_page", String.class);
  }

  /** The HTML page to show if it failed (default: built in). */
  public Optional<String> failurePage() {
    return find("failure_page", String.class);
  }

  /**
   * A file descriptor to read lines from, so that the user can paste the URL at which the browser ended. It stays
   * open; nothing else may read from it during the call.
   */
  public OptionalLong answerDescriptor() {
    return findNumber("answer_descriptor");
  }

  /**
   * Only for <code>tessera_call_group_acquire_token_interactive</code>: whether the application shows the URL if
   * no browser is opened. With <code>false</code>, such a call fails with <code>browser_unavailable</code>
   * (default: <code>true</code>).
   */
  public boolean showsAddress() {
    return find("shows_address", Boolean.class).orElse(false);
  }

  /** Builds an object of type InteractiveRequest. A member that is set to null is left out. */
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

    /**
     * Parameters to add to the body of the token request, and of a silent request. They take precedence over the
     * configuration.
     */
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

    /** The deadline of the call (default: 1 hour). */
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
     * Whether to try a silent request first, for <code>home_account_id</code> or for the only account that matches
     * <code>login_hint</code>. The page is opened only if it fails with the remedy <code>sign_in</code>, or
     * returns a token with declined scopes: such an application opens a page at each call for as long as the
     * server declines them (default: <code>false</code>).
     */
    public Builder silentFirst(boolean value) {
      put("silent_first", value);
      return this;
    }

    /**
     * Whether to open the user's browser: according to the table, always, or never. The value is
     * <code>automatic</code>, <code>open</code> or <code>show</code> (default: <code>automatic</code>).
     */
    public Builder browser(String value) {
      put("browser", value);
      return this;
    }

    /**
     * The location of the page: in the user's browser, or in a window of the program <code>tessera-webview</code>;
     * see webview.md. The value is <code>default</code> or <code>embedded</code> (default: <code>default</code>).
     */
    public Builder webviewType(String value) {
      put("webview_type", value);
      return this;
    }

    /** Whether an embedded web view starts without cookies and stores none (default: <code>true</code>). */
    public Builder prefersEphemeralWebBrowserSession(boolean value) {
      put("prefers_ephemeral_web_browser_session", value);
      return this;
    }

    /** The absolute path of <code>tessera-webview</code> (default: the installed one). */
    public Builder webviewProgram(String value) {
      put("webview_program", value);
      return this;
    }

    /**
     * The HTML page to show after the provider's if the sign-in succeeded; see interactive.md (default: built in).
     */
    public Builder successPage(String value) {
      put("success_page", value);
      return this;
    }

    /** The HTML page to show if it failed (default: built in). */
    public Builder failurePage(String value) {
      put("failure_page", value);
      return this;
    }

    /**
     * A file descriptor to read lines from, so that the user can paste the URL at which the browser ended. It
     * stays open; nothing else may read from it during the call.
     */
    public Builder answerDescriptor(long value) {
      put("answer_descriptor", value);
      return this;
    }

    /**
     * Only for <code>tessera_call_group_acquire_token_interactive</code>: whether the application shows the URL if
     * no browser is opened. With <code>false</code>, such a call fails with <code>browser_unavailable</code>
     * (default: <code>true</code>).
     */
    public Builder showsAddress(boolean value) {
      put("shows_address", value);
      return this;
    }

    /** Returns the object. */
    public InteractiveRequest build() {
      return new InteractiveRequest(copy());
    }
  }
}
