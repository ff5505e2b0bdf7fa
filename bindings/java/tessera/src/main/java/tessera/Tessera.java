// SPDX-License-Identifier: MIT
package tessera;

/** Functions that need no application. */
public final class Tessera {
  private Tessera() {}

  /** Returns the features that the loaded library contains. */
  public static LibraryFeatures getFeatures() {
    Library.need();
    return Application.called(Functions::tessera_library_features, LibraryFeatures::new);
  }

  /** Decodes a token without validation, for display and debugging. */
  public static TokenDescription describeToken(String token) {
    Library.need();
    byte[] text = Library.terminated(token);
    return Application.called(response -> Functions.tessera_token_describe(text, response), TokenDescription::new);
  }

  /** Lists the caches of Microsoft's tools on this machine. */
  public static KnownCaches getKnownCaches(StoreRequest request) {
    Library.need();
    return Application.called(
        response -> Functions.tessera_library_known_caches(request.toBytes(), Cancellation.current(), response),
        KnownCaches::new);
  }

  /** Delivers a redirect URL that this program was opened with to the pending sign-in of the same user. */
  public static void handOverUrl(String url) {
    Library.need();
    byte[] text = Library.terminated(url);
    Application.called(
        response -> Functions.tessera_library_hand_over_url(text, Cancellation.current(), response), members -> null);
  }
}
