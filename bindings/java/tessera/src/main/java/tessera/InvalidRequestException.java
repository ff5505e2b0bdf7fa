// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

/** The request is invalid: correct it as the message describes. */
public final class InvalidRequestException extends TesseraException {
  private static final long serialVersionUID = 1;

  InvalidRequestException(ErrorDetails details) {
    super(details);
  }
}
