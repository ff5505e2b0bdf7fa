// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Optional;

/** The user must sign in: start an interactive flow, and pass on the claims. */
public final class SignInRequiredException extends TesseraException {
  private static final long serialVersionUID = 1;

  SignInRequiredException(ErrorDetails details) {
    super(details);
  }

  /** Returns the claims for the request of the sign-in. */
  public Optional<String> claims() {
    return details().claims();
  }
}
