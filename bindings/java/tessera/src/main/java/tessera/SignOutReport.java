// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "SignOutReport". */
public final class SignOutReport extends Document {
  SignOutReport(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static SignOutReport fromJson(String text) {
    return new SignOutReport(Json.parse(text));
  }

  /** The <code>scope</code> of the request. */
  public String scope() {
    return find("scope", String.class).orElse("");
  }

  /** The accounts that were signed out; for <code>machine</code>, those of this application. */
  public List<Account> accounts() {
    return list("accounts", Account::new);
  }

  /** The numbers of removed records. */
  public RemovedRecords removed() {
    return findDocument("removed", RemovedRecords::new).orElse(new RemovedRecords(Map.of()));
  }

  /** The tokens and sessions that were not removed. */
  public List<LeftoverToken> remaining() {
    return list("remaining", LeftoverToken::new);
  }

  /** One for each refresh token to revoke. */
  public List<Revocation> revocations() {
    return list("revocations", Revocation::new);
  }

  /**
   * The URL that ends the browser session. If the store has an ID token of the account, the URL contains it
   * (<code>id_token_hint</code>, OpenID Connect RP-Initiated Logout 1.0), unless it is longer than 4096 bytes.
   * Open the URL in the browser and do not log it. Present if requested and available.
   */
  public Optional<String> endSessionUrl() {
    return find("end_session_url", String.class);
  }

  /** The result of the identity broker. Present with <code>from_broker</code>. */
  public Optional<BrokerRemoval> broker() {
    return findDocument("broker", BrokerRemoval::new);
  }

  /** Problems that did not prevent the sign-out. Present if there are any. */
  public List<String> warnings() {
    return list("warnings");
  }
}
