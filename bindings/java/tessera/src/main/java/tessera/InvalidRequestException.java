// SPDX-License-Identifier: MIT
package tessera;

/** The request is invalid: correct it as the message describes. */
public final class InvalidRequestException extends TesseraException {
  private static final long serialVersionUID = 1;

  InvalidRequestException(ErrorDetails details) {
    super(details);
  }
}
