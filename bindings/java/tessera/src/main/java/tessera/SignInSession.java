// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Instant;
import java.util.Map;

/** The document "SignInSession". */
public final class SignInSession extends Document {
  SignInSession(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static SignInSession fromJson(String text) {
    return new SignInSession(Json.parse(text));
  }

  /**
   * The URL of the provider's page, valid for one sign-in. With <code>authenticator</code> it is the broker's URL,
   * and contains the key that decrypts its response: do not log it.
   */
  public String url() {
    return find("url", String.class).orElse("");
  }

  /**
   * The value to pass to <code>tessera_application_complete_sign_in</code>: opaque, encrypted with a key of the
   * store, valid for one sign-in.
   */
  public String state() {
    return find("state", String.class).orElse("");
  }

  /** The time at which <code>state</code> expires. */
  public Instant expiresOn() {
    return find("expires_on", Long.class).map(Instant::ofEpochSecond).orElse(Instant.EPOCH);
  }

  /** The redirect URI of the response. */
  public String redirectUri() {
    return find("redirect_uri", String.class).orElse("");
  }
}
