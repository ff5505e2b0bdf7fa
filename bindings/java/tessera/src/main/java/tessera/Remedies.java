// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;

/** The remedies, by status of the C interface. */
final class Remedies {
  static final List<String> NAMES =
      List.of(
          "ok", "sign_in", "retry_later", "fix_request", "fix_configuration", "fix_storage", "cancelled",
          "report_bug");

  private Remedies() {}

  /** Returns the exception for a status. An unknown status is an internal error. */
  static TesseraException exception(int status, ErrorDetails details) {
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
}
