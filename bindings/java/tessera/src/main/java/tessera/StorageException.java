// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

/** The token store cannot be used: repair it, or choose another one. */
public final class StorageException extends TesseraException {
  private static final long serialVersionUID = 1;

  StorageException(ErrorDetails details) {
    super(details);
  }
}
