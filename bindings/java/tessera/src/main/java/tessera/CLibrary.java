// SPDX-License-Identifier: MIT
package tessera;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** A function of the C library, which compares a response without a copy. */
final class CLibrary {
  static {
    Native.register(CLibrary.class, NativeLibrary.getProcess());
  }

  private CLibrary() {}

  static native int strcmp(long one, byte[] other);
}
