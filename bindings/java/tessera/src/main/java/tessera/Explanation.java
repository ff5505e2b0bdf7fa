// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The document "Explanation". */
public final class Explanation extends Document {
  Explanation(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static Explanation fromJson(String text) {
    return new Explanation(Json.parse(text));
  }

  /**
   * The first step of the call: <code>use</code> a cached token, <code>broker</code>: request a token from the
   * identity broker, <code>refresh</code>, <code>pause</code> because the same request failed recently, or
   * <code>sign_in</code>; <code>signed_in</code> for a completed sign-in.
   */
  public String decision() {
    return find("decision", String.class).orElse("");
  }

  /**
   * <code>valid</code> for a cached token. For a refresh or a broker request: <code>missing</code>,
   * <code>expired</code>, <code>due</code> (the server recommended a refresh by now), <code>doubtful</code> (the
   * clocks disagree), <code>forced</code>, <code>claims</code>. <code>device_code</code> after a sign-in;
   * otherwise the code of <code>error</code>.
   */
  public String reason() {
    return find("reason", String.class).orElse("");
  }

  /** The decision and its reason as a sentence. */
  public String message() {
    return find("message", String.class).orElse("");
  }

  /** The requested account. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /** The requested authority. */
  public String authority() {
    return find("authority", String.class).orElse("");
  }

  /** The tenant of the authority for this account; empty for a provider without tenants. Present if known. */
  public Optional<String> tenantId() {
    return find("tenant_id", String.class);
  }

  /** The hosts of the cloud, or the issuer, of the considered tokens. */
  public List<String> environments() {
    return list("environments");
  }

  /** The requested scopes. */
  public List<String> scopes() {
    return list("scopes");
  }

  /** The tokens of the account, in order of use. */
  public List<TokenCandidate> candidates() {
    return list("candidates", TokenCandidate::new);
  }

  /**
   * The error with which the call would fail. With <code>broker</code>, it applies only if the broker has no
   * token. With <code>server_declined_scopes</code>, the call returns the token for the granted scopes instead, if
   * the store has it. Present with <code>sign_in</code> and <code>pause</code>, and with <code>broker</code> after
   * a recent failure of the same request.
   */
  public Optional<ErrorDetails> error() {
    return findDocument("error", ErrorDetails::new);
  }

  /** The outcome for each broker. Present if a broker was to be used, except in a dry run. */
  public List<BrokerVisit> brokers() {
    return list("brokers", BrokerVisit::new);
  }

  /** The kind of the store: <code>sqlite</code>, <code>msal_file</code> or <code>memory</code>. */
  public String store() {
    return find("store", String.class).orElse("");
  }

  /** The duration of reading the store and deciding. */
  public long readMicroseconds() {
    return findNumber("read_microseconds").orElse(0);
  }

  /** The duration of the requests to servers. Present except in a dry run. */
  public OptionalLong networkMicroseconds() {
    return findNumber("network_microseconds");
  }

  /** The duration of the whole call, including waits for other processes. Present except in a dry run. */
  public OptionalLong totalMicroseconds() {
    return findNumber("total_microseconds");
  }
}
