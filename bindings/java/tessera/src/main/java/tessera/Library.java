// SPDX-License-Identifier: MIT
package tessera;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/** Loads the library, and converts its texts. */
final class Library {
  static final int OK = 0;
  static final int FIX_REQUEST = 3;
  static final int FIX_CONFIGURATION = 4;
  static final int CANCELLED = 6;
  private static final int REPORT_BUG = 7;
  private static final int ABI_VERSION = 1;
  private static final int RTLD_NOW = 2;
  private static final TesseraException PROBLEM = load();

  private Library() {}

  /** Throws an exception if the library cannot be used. */
  static void need() {
    if (PROBLEM != null) {
      // Another one for each call, with its own stack trace.
      throw Remedies.exception(FIX_CONFIGURATION, PROBLEM.details());
    }
  }

  private static TesseraException load() {
    String path = System.getProperty("tessera.library", System.getenv().getOrDefault("TESSERA_LIBRARY", ""));
    if (!path.isEmpty() && !path.startsWith("/")) {
      return missing("tessera.library or TESSERA_LIBRARY must be an absolute path, not \"" + path + "\".");
    }
    String name = "libtessera" + (Platform.isMac() ? "." + ABI_VERSION + ".dylib" : ".so." + ABI_VERSION);
    try {
      Map<String, ?> options = Map.of(com.sun.jna.Library.OPTION_OPEN_FLAGS, RTLD_NOW);
      Native.register(Functions.class, NativeLibrary.getInstance(path.isEmpty() ? name : path, options));
    } catch (UnsatisfiedLinkError error) {
      // The first lines; the others repeat them for other paths.
      String[] lines = String.valueOf(error.getMessage()).split("\n");
      String message = lines[0] + (lines.length > 1 ? " " + lines[1] : "");
      return missing(
          "The Tessera library cannot be used: " + message + ". Install the version of this package with \"make "
              + "install\", or set the property tessera.library or TESSERA_LIBRARY to its absolute path.");
    }
    if (Native.POINTER_SIZE != Long.BYTES || Functions.tessera_abi_version() != ABI_VERSION) {
      return missing("The Tessera library does not have the ABI version " + ABI_VERSION + " of this package.");
    }
    return null;
  }

  private static TesseraException missing(String message) {
    return TesseraException.of(FIX_CONFIGURATION, ErrorCodes.LIBRARY_MISSING, message);
  }

  /** Returns the address of a structure that the caller keeps. */
  static long address(ByteBuffer structure) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(structure));
  }

  /** Returns a text in UTF-8 with a NUL. */
  static byte[] terminated(String text) {
    if (text.indexOf('\0') >= 0) {
      throw TesseraException.of(FIX_REQUEST, ErrorCodes.INVALID_MEMBER, "A text has a NUL character.");
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  /** Returns a copy of a response, which it frees; null if memory ran out. */
  static String taken(long response) {
    if (response == 0) {
      return null;
    }
    try {
      return new Pointer(response).getString(0, "UTF-8");
    } finally {
      Functions.tessera_string_free(response);
    }
  }

  /** Returns the result of a call. A token that covers only some of the scopes is a result with the status 1. */
  static <R> R decoded(int status, String response, Function<Map<String, Object>, R> make) {
    Map<String, Object> members;
    try {
      members = Json.parse(response == null ? "" : response);
    } catch (IllegalArgumentException error) {
      throw TesseraException.of(
          REPORT_BUG, ErrorCodes.INTERNAL_ERROR, "The response of the library cannot be read: " + error.getMessage());
    }
    if (members.get("error") instanceof Map) {
      @SuppressWarnings("unchecked")
      Map<String, Object> details = (Map<String, Object>) members.get("error");
      throw Remedies.exception(status, new ErrorDetails(details));
    }
    return make.apply(members);
  }

  /** Throws the error of a call without a result. */
  static void check(int status, long response) {
    String text = taken(response);
    if (status != OK) {
      decoded(status, text, members -> null);
    }
  }
}
