// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

/** An internal error: report it, including the message. */
public final class InternalException extends TesseraException {
  private static final long serialVersionUID = 1;

  InternalException(ErrorDetails details) {
    super(details);
  }
}
