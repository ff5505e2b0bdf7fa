// SPDX-License-Identifier: MIT
package tessera;

/** The token store cannot be used: repair it, or choose another one. */
public final class StorageException extends TesseraException {
  private static final long serialVersionUID = 1;

  StorageException(ErrorDetails details) {
    super(details);
  }
}
