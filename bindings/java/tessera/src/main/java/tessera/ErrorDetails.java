// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The document "Error". */
public final class ErrorDetails extends Document {
  ErrorDetails(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static ErrorDetails fromJson(String text) {
    return new ErrorDetails(Json.parse(text));
  }

  /** The remedy: the status as a name, see errors.md. */
  public String remedy() {
    return find("remedy", String.class).orElse("");
  }

  /** The name of the error, see errors.md. */
  public String code() {
    return find("code", String.class).orElse("");
  }

  /**
   * A description for developers, in one line. In it, and in the server's texts below, control characters are
   * removed and long texts are truncated with <code>…</code>.
   */
  public String message() {
    return find("message", String.class).orElse("");
  }

  /** Whether the same call may succeed later without a change. */
  public boolean retryable() {
    return find("retryable", Boolean.class).orElse(false);
  }

  /**
   * The number of seconds to wait before a retry. It is 60 if the server sent status 429 without <code>Retry-
   * After</code>. Present if the server sent it, and with <code>throttled</code>.
   */
  public Optional<Duration> retryAfter() {
    return find("retry_after", Long.class).map(Duration::ofSeconds);
  }

  /** <code>error</code> (RFC 6749 section 5.2). Present if the server sent it. */
  public Optional<String> oauthError() {
    return find("oauth_error", String.class);
  }

  /** Entra's <code>suberror</code>, which refines <code>oauth_error</code>. Present if the server sent it. */
  public Optional<String> suberror() {
    return find("suberror", String.class);
  }

  /** The AADSTS numbers. Present if the server sent them. */
  public List<Long> serverCodes() {
    return list("server_codes");
  }

  /**
   * The ID of the exchange, for the server's support: from the body, or else from the header <code>client-request-
   * id</code>, or else the ID of the request. Present after an error response, or a response that is not JSON.
   */
  public Optional<String> correlationId() {
    return find("correlation_id", String.class);
  }

  /**
   * The server's trace ID, for its support: from the body, or else from the header <code>x-ms-request-id</code>.
   * Present if the server sent it.
   */
  public Optional<String> traceId() {
    return find("trace_id", String.class);
  }

  /** A claims challenge; pass it to an interactive request. Present if the server sent it. */
  public Optional<String> claims() {
    return find("claims", String.class);
  }

  /** The granted scopes, without the reserved ones. Present with <code>server_declined_scopes</code>, if known. */
  public List<String> grantedScopes() {
    return list("granted_scopes");
  }

  /** The requested scopes that were not granted. Present with <code>server_declined_scopes</code>, if known. */
  public List<String> declinedScopes() {
    return list("declined_scopes");
  }

  /**
   * The user name of the account concerned. Present with <code>protection_policy_required</code>,
   * <code>account_mismatch</code>, <code>workplace_join_required</code> and errors of brokers, if known.
   */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /**
   * The ID of the account concerned. Present with <code>protection_policy_required</code>,
   * <code>account_mismatch</code>, <code>workplace_join_required</code> and errors of brokers, if known.
   */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /**
   * The URL of the application that registers devices. It is not authenticated: show it to the user before you
   * open it. Present with <code>workplace_join_required</code> and <code>device_upgrade_required</code>, if the
   * page sent it.
   */
  public Optional<String> appLink() {
    return find("app_link", String.class);
  }

  /** The organization requires device-bound tokens. Present with the same codes, if it applies. */
  public boolean tokenProtectionRequired() {
    return find("token_protection_required", Boolean.class).orElse(false);
  }

  /**
   * The authority that applies the policy. Present with <code>protection_policy_required</code>, if a server sent
   * it.
   */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /**
   * The process that held the lock of the credential, or of the shared MSAL cache, until the deadline. Present
   * with <code>store_busy</code>, if the system reports it.
   */
  public OptionalLong holderProcessId() {
    return findNumber("holder_process_id");
  }

  /** The matching accounts. Present with <code>ambiguous_account</code>. */
  public List<Account> accounts() {
    return list("accounts", Account::new);
  }

  /** The underlying errors, the direct cause first; see errors.md. Present if there are any. */
  public List<ErrorCause> causes() {
    return list("causes", ErrorCause::new);
  }

  /** The error code that MSAL for Apple reports. Present usually. */
  public OptionalLong msalCode() {
    return findNumber("msal_code");
  }

  /** The internal error code that MSAL for Apple reports. Present if there is one. */
  public OptionalLong msalInternalCode() {
    return findNumber("msal_internal_code");
  }
}
