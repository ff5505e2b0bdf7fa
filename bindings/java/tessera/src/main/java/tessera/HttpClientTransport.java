// SPDX-License-Identifier: MIT
package tessera;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Sends requests by the client of the Java library. */
final class HttpClientTransport implements Transport {
  /** The header fields that the client sets itself. */
  private static final Set<String> RESTRICTED = Set.of("connection", "content-length", "expect", "host", "upgrade");

  private final HttpClient client;

  HttpClientTransport(HttpClient client) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException("The client of a transport must not follow redirects.");
    }
    this.client = client;
  }

  @Override
  public TransportResponse send(TransportRequest request, BooleanSupplier isCancelled) throws Exception {
    HttpRequest.Builder prepared = HttpRequest.newBuilder(URI.create(request.url()));
    request.timeout().ifPresent(prepared::timeout);
    if (request.url().startsWith("http:")) {
      // Without an attempt to upgrade the connection.
      prepared.version(HttpClient.Version.HTTP_1_1);
    }
    for (String each : request.headers()) {
      String[] field = each.split(":", 2);
      if (!RESTRICTED.contains(field[0].toLowerCase(Locale.ROOT))) {
        prepared.header(field[0], field[1].trim());
      }
    }
    prepared.method(
        request.method(),
        request.body().map(HttpRequest.BodyPublishers::ofString).orElse(HttpRequest.BodyPublishers.noBody()));
    CompletableFuture<HttpResponse<String>> future =
        client.sendAsync(prepared.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    while (true) {
      try {
        return described(future.get(50, TimeUnit.MILLISECONDS));
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof IOException ? (IOException) failed.getCause() : failed;
      } catch (TimeoutException wait) {
        if (isCancelled.getAsBoolean()) {
          future.cancel(true);
          throw wait;
        }
      }
    }
  }

  private static TransportResponse described(HttpResponse<String> response) {
    List<String> headers = new ArrayList<>();
    response.headers().map().forEach((name, values) -> values.forEach(each -> headers.add(name + ": " + each)));
    return TransportResponse.builder().status(response.statusCode()).headers(headers).body(response.body()).build();
  }
}
