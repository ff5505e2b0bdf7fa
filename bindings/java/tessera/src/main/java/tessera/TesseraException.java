// SPDX-License-Identifier: MIT
package tessera;

import java.util.List;
import java.util.Map;

/**
 * The base class of all errors. Each subclass represents one remedy.
 *
 * <p>Every application must handle {@link SignInRequiredException}: the user must sign in. For all other errors it is
 * sufficient to show the message, and to try again later if {@link #isRetryable} is true.
 */
public abstract class TesseraException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The names of the statuses. */
  private static final List<String> REMEDIES =
      List.of(
          "ok", "sign_in", "retry_later", "fix_request", "fix_configuration", "fix_storage", "cancelled", "report_bug");

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
    return of(REMEDIES.indexOf(details.remedy()), details);
  }

  /** Returns the exception for a status of the C interface. An unknown status is an internal error. */
  static TesseraException of(int status, ErrorDetails details) {
    switch (status) {
      case 1:
        return new SignInRequiredException(details);
      case 2:
        return new RetryLaterException(details);
      case 3:
        return new InvalidRequestException(details);
      case 4:
        return new ConfigurationException(details);
      case 5:
        return new StorageException(details);
      case 6:
        return new CancelledException(details);
      default:
        return new InternalException(details);
    }
  }

  static TesseraException of(int status, String code, String message) {
    return of(new ErrorDetails(Map.of("remedy", REMEDIES.get(status), "code", code, "message", message)));
  }
}
