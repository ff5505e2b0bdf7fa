// SPDX-License-Identifier: MIT
package tessera;

/** The user or the application cancelled the call, or it timed out. */
public final class CancelledException extends TesseraException {
  private static final long serialVersionUID = 1;

  CancelledException(ErrorDetails details) {
    super(details);
  }
}
