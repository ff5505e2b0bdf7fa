// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Optional;

/** The network, the server or the store is unavailable: try again later. */
public final class RetryLaterException extends TesseraException {
  private static final long serialVersionUID = 1;

  RetryLaterException(ErrorDetails details) {
    super(details);
  }

  /** Returns the time after which to try again, if the server sent one. */
  public Optional<Duration> retryAfter() {
    return details().retryAfter();
  }
}
