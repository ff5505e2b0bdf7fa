// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

/** The user or the application cancelled the call, or it timed out. */
public final class CancelledException extends TesseraException {
  private static final long serialVersionUID = 1;

  CancelledException(ErrorDetails details) {
    super(details);
  }
}
