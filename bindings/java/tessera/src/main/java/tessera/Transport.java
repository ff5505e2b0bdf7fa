// SPDX-License-Identifier: MIT
package tessera;

import java.util.function.BooleanSupplier;

/**
 * Sends one HTTP request, for an application with its own HTTP client. It must verify the server's certificate, must
 * not follow redirects, and must not call the application. Several threads call it at the same time.
 */
@FunctionalInterface
public interface Transport {
  /**
   * Returns the response, whatever its status. An exception counts as a failed request; with {@link
   * java.net.ConnectException}, the server has not received it.
   *
   * @param request the request, which has secrets
   * @param isCancelled whether to abort the request: ask at least every 100 ms, and only on this thread
   */
  TransportResponse send(TransportRequest request, BooleanSupplier isCancelled) throws Exception;
}
