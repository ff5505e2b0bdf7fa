// SPDX-License-Identifier: MIT
package com.example.tessera;

/** The user or the application cancelled the call, or it timed out. */
public final class CancelledException extends TesseraException {
  private static final long serialVersionUID = 1;

  CancelledException(ErrorDetails details) {
    super(details);
  }
}
