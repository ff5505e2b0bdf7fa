// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "SignInPrompt". */
public final class SignInPrompt extends Document {
  SignInPrompt(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static SignInPrompt fromJson(String text) {
    return new SignInPrompt(Json.parse(text));
  }

  /** The URL of the provider's page, valid for one sign-in. */
  public String url() {
    return find("url", String.class).orElse("");
  }

  /** Whether a browser is opened with it; if not, show the URL. */
  public boolean opensBrowser() {
    return find("opens_browser", Boolean.class).orElse(false);
  }

  /** The reason for that, a value of the table. */
  public String reason() {
    return find("reason", String.class).orElse("");
  }

  /** The start of the URL at which the browser ends. */
  public String redirectUri() {
    return find("redirect_uri", String.class).orElse("");
  }

  /** The problem since the previous prompt. Present from the second prompt on. */
  public Optional<String> problem() {
    return find("problem", String.class);
  }
}
