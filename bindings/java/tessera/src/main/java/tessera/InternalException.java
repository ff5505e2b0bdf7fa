// SPDX-License-Identifier: MIT
package tessera;

/** An internal error: report it, including the message. */
public final class InternalException extends TesseraException {
  private static final long serialVersionUID = 1;

  InternalException(ErrorDetails details) {
    super(details);
  }
}
