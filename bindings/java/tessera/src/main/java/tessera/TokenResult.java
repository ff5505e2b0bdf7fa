// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "TokenResult". */
public final class TokenResult extends Document {
  TokenResult(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static TokenResult fromJson(String text) {
    return new TokenResult(Json.parse(text));
  }

  /** The access token. Treat it as opaque; only the resource may interpret it. */
  public String accessToken() {
    return find("access_token", String.class).orElse("");
  }

  /** The token type, currently always <code>Bearer</code>. */
  public String tokenType() {
    return find("token_type", String.class).orElse("");
  }

  /** The expiry time. */
  public Instant expiresOn() {
    return find("expires_on", Long.class).map(Instant::ofEpochSecond).orElse(Instant.EPOCH);
  }

  /** The time until which the token may be used during an outage. Present if the server sent it. */
  public Optional<Instant> extendedExpiresOn() {
    return find("extended_expires_on", Long.class).map(Instant::ofEpochSecond);
  }

  /**
   * The time from which the server recommends a refresh; silent requests follow it. Present if the server sent it.
   */
  public Optional<Instant> refreshOn() {
    return find("refresh_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** The granted scopes, in the server's spelling; the requested ones if the response has none. */
  public List<String> scopes() {
    return list("scopes");
  }

  /**
   * The requested scopes that were not granted. The status is then <code>TESSERA_STATUS_SIGN_IN</code>. The token
   * is stored and can be used for <code>scopes</code>. Present if the server declined some.
   */
  public List<String> declinedScopes() {
    return list("declined_scopes");
  }

  /** The raw ID token. Present if there is one. */
  public Optional<String> idToken() {
    return find("id_token", String.class);
  }

  /** The claims of the ID token. Present if there is one. */
  public Map<String, Object> idTokenClaims() {
    return map("id_token_claims");
  }

  /** The account of the token. */
  public Account account() {
    return findDocument("account", Account::new).orElse(new Account(Map.of()));
  }

  /** The tenant of the token; empty for a provider without tenants. */
  public String tenantId() {
    return find("tenant_id", String.class).orElse("");
  }

  /** The authority that issued the token, with the actual tenant. */
  public String authority() {
    return find("authority", String.class).orElse("");
  }

  /** The source of the token. The value is <code>cache</code>, <code>network</code> or <code>broker</code>. */
  public String source() {
    return find("source", String.class).orElse("");
  }

  /** The outcome for each broker; see brokers.md. Present if a broker was to be used. */
  public List<BrokerVisit> brokers() {
    return list("brokers", BrokerVisit::new);
  }

  /**
   * Whether the token is in the store. If not, <code>warnings</code> has the reason; the token is valid
   * nevertheless.
   */
  public boolean persisted() {
    return find("persisted", Boolean.class).orElse(false);
  }

  /**
   * The reason for opening or not opening the browser, a value of the table. Present after a sign-in in a browser.
   */
  public Optional<String> browserReason() {
    return find("browser_reason", String.class);
  }

  /**
   * Always <code>true</code>: the token has expired, and is returned only because the server is down and allows
   * this use; see <code>refresh_error</code>. Present during an outage.
   */
  public boolean extendedLifetime() {
    return find("extended_lifetime", Boolean.class).orElse(false);
  }

  /** The error of the refresh. Present after a failed refresh. */
  public Optional<ErrorDetails> refreshError() {
    return findDocument("refresh_error", ErrorDetails::new);
  }

  /** Problems that did not prevent the call from succeeding. Present if there are any. */
  public List<String> warnings() {
    return list("warnings");
  }

  /** The reason for the choice of this token, and the duration of each step. Present with <code>explain</code>. */
  public Optional<Explanation> explanation() {
    return findDocument("explanation", Explanation::new);
  }
}
