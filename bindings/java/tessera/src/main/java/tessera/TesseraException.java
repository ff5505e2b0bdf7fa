// SPDX-License-Identifier: MIT
package tessera;

import java.util.Map;

/**
 * The base class of all errors. Each subclass represents one remedy.
 *
 * <p>Every application must handle {@link SignInRequiredException}: the user must sign in. For all other errors it is
 * sufficient to show the message, and to try again later if {@link #isRetryable} is true.
 */
public abstract class TesseraException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;
  private final boolean isRetryable;
  private final transient ErrorDetails details;

  TesseraException(ErrorDetails details) {
    super(details.message() + " (" + details.code() + ")");
    this.code = details.code();
    this.isRetryable = details.retryable();
    this.details = details;
  }

  /** Returns the code, which identifies the cause; {@link ErrorCodes} has all of them. */
  public final String code() {
    return code;
  }

  /** Returns whether the same call may succeed later. */
  public final boolean isRetryable() {
    return isRetryable;
  }

  /** Returns all members of the error; null after serialization. */
  public final ErrorDetails details() {
    return details;
  }

  /** Returns the exception for the remedy of an error, such as one that a test has written. */
  public static TesseraException of(ErrorDetails details) {
    return Remedies.exception(Remedies.NAMES.indexOf(details.remedy()), details);
  }

  static TesseraException of(int status, String code, String message) {
    return of(new ErrorDetails(Map.of("remedy", Remedies.NAMES.get(status), "code", code, "message", message)));
  }
}
