// SPDX-License-Identifier: MIT
package tessera;

import com.sun.net.httpserver.HttpServer;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tests without a server. Needs the assertions of Java: {@code -ea}. */
public final class TesseraTest {
  private static Path root;

  private TesseraTest() {}

  private static <T extends Throwable> T thrown(Class<T> type, Runnable task) {
    try {
      task.run();
    } catch (Throwable thrown) {
      assert type.isInstance(thrown) : thrown;
      return type.cast(thrown);
    }
    throw new AssertionError("no " + type.getSimpleName());
  }

  private static Configuration.Builder configuration() throws Exception {
    Path folder = Files.createTempDirectory(root, "store-");
    return Configuration.builder("client")
        .store(StoreOptions.builder().directory(folder.toString()).keySources("key_file").build());
  }

  private static void requestsHaveTheAssignedMembers() {
    SilentRequest request =
        SilentRequest.builder()
            .homeAccountId("")
            .scopes("User.Read", "a\"b\\c\n\0\ud83d\ude00\ud83d")
            .forceRefresh(false)
            .extraQueryParameters(Map.of("b", ""))
            .timeout(Duration.ofSeconds(2))
            .claims("x")
            .claims(null)
            .build();
    String expected =
        "{\"home_account_id\":\"\",\"scopes\":[\"User.Read\",\"a\\\"b\\\\c\\u000a\\u0000\ud83d\ude00\\ud83d\"],"
            + "\"force_refresh\":false,\"extra_query_parameters\":{\"b\":\"\"},\"timeout_milliseconds\":2000}";
    assert request.toJson().equals(expected) : request.toJson();
    assert request.toBuilder().build().equals(request) && request.scopes().size() == 2;
    assert request.timeout().get().equals(Duration.ofSeconds(2)) && request.username().isEmpty();
  }

  private static void theReaderIsStrict() {
    String text = " {\"a\":[1,-0.5e+1,true,null,\"\\u00e9\\n\\ud83d\\ude00\"],\"b\":{},\"c\":123456789012345678} ";
    Map<String, Object> members = Json.parse(text);
    List<Object> list = new ArrayList<>(List.of(1L, -5.0, true, "\u00e9\n\ud83d\ude00"));
    list.add(3, null);
    assert members.get("a").equals(list) && members.get("c").equals(123456789012345678L) : members;
    String[] wrong = {
      "", "[]", "1", "{", "{}x", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":1,\"a\":1}", "{\"a\":01}", "{\"a\":1.}",
      "{\"a\":+1}", "{\"a\":tru}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u00g0\"}", "{\"a\":\"", "{\"a\":-}",
      "{a:1}", "{\"a\":[1,]}", "{\"a\":1e}", "{\"a\":" + "[".repeat(200) + "]".repeat(200) + "}",
    };
    for (String each : wrong) {
      thrown(IllegalArgumentException.class, () -> Json.parse(each));
    }
  }

  private static void secretsAreNotPrinted() {
    String secret = "a.b.c";
    TokenResult token =
        TokenResult.fromJson(
            "{\"access_token\":\"a.b.c\",\"source\":\"cache\",\"id_token\":\"a.b.c\","
                + "\"id_token_claims\":{\"x\":\"a.b.c\"},\"brokers\":[{\"x\":\"a.b.c\"}],\"scopes\":[\"one\"]}");
    String text = token.toString();
    assert !text.contains(secret) && text.contains("source=cache") && text.contains("scopes=[one]") : text;
    assert token.toJson().contains(secret) && token.accessToken().equals(secret);
    Document request = StoreOptions.builder().key(secret).group("g").build();
    assert request.toString().equals("StoreOptions[key=[secret], group=g]") : request;
    assert !Configuration.builder("x").store((StoreOptions) request).build().toString().contains(secret);
    assert !RedirectResponse.builder("a.b.c").build().toString().contains(secret);
    RuntimeException error = thrown(RuntimeException.class, () -> Json.parse("{\"access_token\":\"a.b.c\""));
    assert !error.toString().contains(secret);
  }

  private static void errorsHaveARemedyAndACode() {
    Configuration wrong = Configuration.builder("client").authority("http://login.example").build();
    ConfigurationException error = thrown(ConfigurationException.class, () -> Application.create(wrong));
    assert error.code().equals(ErrorCodes.INVALID_AUTHORITY) && error.details().remedy().equals("fix_configuration");
    assert error.getMessage().endsWith("(invalid_authority)") && !error.isRetryable();
    assert Remedies.exception(99, error.details()) instanceof InternalException;
    for (String remedy : List.of("ok", "unknown", "report_bug")) {
      ErrorDetails details = ErrorDetails.fromJson("{\"remedy\":\"" + remedy + "\"}");
      assert TesseraException.of(details) instanceof InternalException;
    }
    assert TesseraException.of(error.details()) instanceof ConfigurationException;
    assert TesseraException.of(Library.CANCELLED, "code", "message") instanceof CancelledException;
    SilentRequest request = SilentRequest.builder().scopes("x").build();
    try (Application application = created()) {
      thrown(SignInRequiredException.class, () -> application.acquireTokenSilent(request));
      CompletableFuture<TokenResult> future = application.acquireTokenSilentAsync(request);
      thrown(SignInRequiredException.class, () -> {
        try {
          future.get();
        } catch (ExecutionException failed) {
          throw (RuntimeException) failed.getCause();
        } catch (InterruptedException interrupt) {
          throw new AssertionError(interrupt);
        }
      });
    }
  }

  private static Application created() {
    try {
      return Application.create(configuration().build());
    } catch (Exception thrown) {
      throw new AssertionError(thrown);
    }
  }

  private static void aClosedApplicationFails() {
    Application application = created();
    application.close();
    application.close();
    SilentRequest request = SilentRequest.builder().build();
    thrown(InvalidRequestException.class, () -> application.acquireTokenSilent(request));
    thrown(InvalidRequestException.class, application::getAccounts);
    try (Application other = created()) {
      CopyRequest copy = CopyRequest.builder().build();
      thrown(InvalidRequestException.class, () -> other.copySignIns(application, copy));
      other.copySignIns(other, copy);
    }
  }

  /** A transport that waits until its request is cancelled. */
  private static final class Stalled implements Transport {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch cancelled = new CountDownLatch(1);

    @Override
    public TransportResponse send(TransportRequest request, java.util.function.BooleanSupplier isCancelled)
        throws Exception {
      reached.countDown();
      while (!isCancelled.getAsBoolean()) {
        Thread.sleep(10);
      }
      cancelled.countDown();
      return TransportResponse.builder().error("cancelled").build();
    }
  }

  private static void aFutureThatEndsCancelsItsCall() throws Exception {
    List<Consumer<CompletableFuture<TokenResult>>> ends =
        List.of(
            future -> future.cancel(true),
            future -> future.completeExceptionally(new IllegalStateException()),
            future -> future.orTimeout(1, TimeUnit.MILLISECONDS));
    List<Class<? extends Throwable>> expected =
        List.of(CancellationException.class, IllegalStateException.class, TimeoutException.class);
    for (int index = 0; index < ends.size(); index++) {
      Stalled transport = new Stalled();
      try (Application application =
          Application.create(configuration().build(), Host.builder().transport(transport).build())) {
        CompletableFuture<TokenResult> future =
            application.acquireTokenByDeviceCodeAsync(DeviceCodeRequest.builder().scopes("x").build(), prompt -> {});
        transport.reached.await();
        ends.get(index).accept(future);
        Throwable failure = future.handle((result, thrown) -> thrown).get();
        assert expected.get(index).isInstance(failure) : failure;
        assert transport.cancelled.await(60, TimeUnit.SECONDS);
      }
    }
  }

  private static void anInterruptCancelsACall() throws Exception {
    Stalled transport = new Stalled();
    Application application =
        Application.create(configuration().build(), Host.builder().transport(transport).build());
    Thread waiting = Thread.currentThread();
    Thread other =
        new Thread(
            () -> {
              try {
                transport.reached.await();
              } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
              }
              waiting.interrupt();
            });
    other.start();
    DeviceCodeRequest request = DeviceCodeRequest.builder().scopes("x").build();
    CancelledException error =
        thrown(CancelledException.class, () -> application.acquireTokenByDeviceCode(request, prompt -> {}));
    assert error.code().equals(ErrorCodes.CANCELLED) && Thread.interrupted();
    other.join();
    assert transport.cancelled.await(60, TimeUnit.SECONDS);
    application.close();
  }

  private static void aCancelledFunctionEndsItsCalls() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Stalled transport = new Stalled();
    try (Application application =
        Application.create(configuration().build(), Host.builder().transport(transport).build())) {
      assert application.async(each -> each.getAccounts().accounts().size()).get() == 0;
      CompletableFuture<Object> future =
          application.async(
              each -> {
                reached.countDown();
                try {
                  return each.acquireTokenByDeviceCode(DeviceCodeRequest.builder().scopes("x").build(), prompt -> {});
                } catch (RuntimeException thrown) {
                  ended.complete(thrown);
                  throw thrown;
                }
              });
      transport.reached.await();
      future.cancel(true);
      assert ended.get(60, TimeUnit.SECONDS) instanceof CancelledException : ended;
      // A blocking call in the library.
      CompletableFuture<Throwable> blocked = new CompletableFuture<>();
      CompletableFuture<Object> other =
          application.async(
              each -> {
                while (true) {
                  try {
                    each.getAccounts();
                  } catch (RuntimeException thrown) {
                    blocked.complete(thrown);
                    throw thrown;
                  }
                }
              });
      Thread.sleep(50);
      other.cancel(true);
      assert blocked.get(60, TimeUnit.SECONDS) instanceof CancelledException : blocked;
      assert application.async(each -> each.getAccounts().accounts().size()).get() == 0;
    }
  }

  private static void exceptionsOfCallbacksReachTheHandler() throws Exception {
    Set<String> messages = ConcurrentHashMap.newKeySet();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> messages.add(thrown.getMessage()));
    try {
      callbacksThrow();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(null);
    }
    assert messages.equals(Set.of("from the log", "from the key")) : messages;
  }

  private static void callbacksThrow() throws Exception {
    Host.Builder host = Host.builder();
    host.log(
        (level, message) -> {
          throw new IllegalStateException("from the log");
        });
    host.storeKey(
        () -> {
          throw new IllegalStateException("from the key");
        });
    host.transport(
        (request, isCancelled) -> {
          throw new StackOverflowError("from the transport");
        });
    Path folder = Files.createTempDirectory(root, "store-");
    StoreOptions store = StoreOptions.builder().directory(folder.toString()).build();
    Configuration configuration = Configuration.builder("client").store(store).logLevel(4).build();
    try (Application application = Application.create(configuration, host.build())) {
      RetryLaterException error =
          thrown(
              RetryLaterException.class,
              () ->
                  application.acquireTokenByDeviceCode(
                      DeviceCodeRequest.builder().scopes("x").build(), prompt -> {}));
      assert error.code().equals(ErrorCodes.NETWORK_FAILED) && error.getMessage().contains("from the transport");
      StorageException missing = thrown(StorageException.class, () -> application.writeCache(oneAccount()));
      assert missing.code().equals(ErrorCodes.KEY_UNAVAILABLE) : missing;
    }
    host.storeKey(() -> new byte[31]);
    try (Application application = Application.create(configuration, host.build())) {
      thrown(StorageException.class, () -> application.writeCache(oneAccount()));
    }
    host.storeKey(() -> new byte[32]);
    try (Application application = Application.create(configuration, host.build())) {
      assert application.writeCache(oneAccount()).stored() > 0;
      assert application.readCache(StoreRequest.builder().build()).cache().contains("alice@contoso.com");
    }
  }

  private static void oneResponseHasOneResult() throws Exception {
    Configuration configuration = configuration().authority("https://login.microsoftonline.com/common").build();
    try (Application application = Application.create(configuration)) {
      SilentRequest request = SilentRequest.builder().scopes("User.Read").homeAccountId("u.t").build();
      application.writeCache(oneToken("first"));
      application.acquireTokenSilent(request);
      TokenResult token = application.acquireTokenSilent(request);
      assert token.accessToken().equals("first") && token == application.acquireTokenSilentAsync(request).join();
      application.writeCache(oneToken("second"));
      assert application.acquireTokenSilent(request).accessToken().equals("second");
    }
  }

  private static CacheWriteRequest oneToken(String secret) {
    long now = Instant.now().getEpochSecond();
    String account = Json.parse(oneAccount().toJson()).get("after").toString();
    String token =
        ",\"AccessToken\":{\"u.t-login.microsoftonline.com-accesstoken-client-t-user.read\":{\"credential_type\":"
            + "\"AccessToken\",\"home_account_id\":\"u.t\",\"environment\":\"login.microsoftonline.com\","
            + "\"client_id\":\"client\",\"realm\":\"t\",\"target\":\"User.Read\",\"token_type\":\"Bearer\","
            + "\"secret\":\"%s\",\"cached_at\":\"%d\",\"expires_on\":\"%d\"}}}";
    String after = account.substring(0, account.length() - 1) + String.format(token, secret, now, now + 3600);
    return CacheWriteRequest.builder("{}", after).build();
  }

  private static CacheWriteRequest oneAccount() {
    String account =
        "{\"Account\":{\"u.t-login.microsoftonline.com-t\":{\"home_account_id\":\"u.t\",\"environment\":"
            + "\"login.microsoftonline.com\",\"realm\":\"t\",\"local_account_id\":\"u\",\"authority_type\":"
            + "\"MSSTS\",\"username\":\"alice@contoso.com\"}}}";
    return CacheWriteRequest.builder("{}", account).build();
  }

  private static void theClientOfTheLibrarySendsRequests() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    CountDownLatch end = new CountDownLatch(1);
    server.setExecutor(task -> new Thread(task).start());
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          try {
            if (exchange.getRequestURI().getPath().equals("/slow")) {
              end.await();
            }
          } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
          }
          String header = exchange.getRequestHeaders().getFirst("X-Test");
          byte[] answer = (exchange.getRequestMethod() + " " + header + " " + body).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Location", "http://localhost:1/");
          exchange.sendResponseHeaders(302, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort();
      String request =
          "{\"method\":\"POST\",\"url\":\"%s\",\"headers\":[\"X-Test: a:b\",\"Host: x\"],\"body\":\"\u00e9\","
              + "\"timeout_milliseconds\":60000}";
      Transport transport = new HttpClientTransport(HttpClient.newHttpClient());
      TransportResponse response = transport.send(TransportRequest.fromJson(String.format(request, url)), () -> false);
      assert response.status().getAsLong() == 302 && response.body().get().equals("POST a:b \u00e9") : response;
      assert response.headers().stream().anyMatch(each -> each.equalsIgnoreCase("Location: http://localhost:1/"));
      TransportRequest slow = TransportRequest.fromJson(String.format(request, url + "/slow"));
      thrown(
          TimeoutException.class,
          () -> {
            try {
              transport.send(slow, () -> true);
            } catch (Exception thrown) {
              TesseraTest.<RuntimeException>raise(thrown);
            }
          });
      ServerSocket closed = new ServerSocket(0);
      closed.close();
      String unreachable = String.format(request, "http://localhost:" + closed.getLocalPort());
      thrown(
          ConnectException.class,
          () -> {
            try {
              transport.send(TransportRequest.fromJson(unreachable), () -> false);
            } catch (Exception thrown) {
              TesseraTest.<RuntimeException>raise(thrown);
            }
          });
      HttpClient following = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
      thrown(IllegalArgumentException.class, () -> Host.builder().transport(following));
    } finally {
      end.countDown();
      server.stop(0);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static void aMissingLibraryIsNamed() throws Exception {
    for (String path : List.of("/missing/libtessera.so", "libtessera.so")) {
      Process process =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/java", "-Dtessera.library=" + path, "-cp",
                  System.getProperty("java.class.path"), TesseraTest.class.getName(), "features")
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assert process.waitFor() != 0 && output.contains(path) && output.contains("(library_missing)") : output;
    }
  }

  private static void manyCallsRunDuringCollections() throws Exception {
    SilentRequest request = SilentRequest.builder().scopes("x").build();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int index = 0; index < 50; index++) {
                  Application application = created();
                  List<CompletableFuture<TokenResult>> futures = new ArrayList<>();
                  for (int call = 0; call < 10; call++) {
                    futures.add(application.acquireTokenSilentAsync(request));
                  }
                  if (index % 10 == 0) {
                    System.gc();
                  }
                  for (CompletableFuture<TokenResult> each : futures) {
                    Throwable failure = each.handle((result, thrown) -> thrown).join();
                    assert failure instanceof SignInRequiredException : failure;
                  }
                }
              },
              task -> new Thread(task).start()));
    }
    for (CompletableFuture<Void> each : threads) {
      each.get();
    }
  }

  private static void theLibraryDescribesItself() {
    assert !Tessera.getFeatures().features().isEmpty();
    assert Tessera.describeToken("opaque").kind().equals("opaque");
    Tessera.getKnownCaches(StoreRequest.builder().build());
    thrown(InvalidRequestException.class, () -> Tessera.handOverUrl("no URL"));
    thrown(InvalidRequestException.class, () -> Tessera.describeToken("a\0b"));
  }

  /** Runs all tests. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      Tessera.getFeatures();
      return;
    }
    boolean isChecking = false;
    assert isChecking = true;
    if (!isChecking) {
      throw new IllegalStateException("Start this program with -ea.");
    }
    root = Files.createTempDirectory("tessera-java-");
    try {
      requestsHaveTheAssignedMembers();
      theReaderIsStrict();
      secretsAreNotPrinted();
      theLibraryDescribesItself();
      errorsHaveARemedyAndACode();
      aClosedApplicationFails();
      aFutureThatEndsCancelsItsCall();
      anInterruptCancelsACall();
      aCancelledFunctionEndsItsCalls();
      exceptionsOfCallbacksReachTheHandler();
      oneResponseHasOneResult();
      theClientOfTheLibrarySendsRequests();
      aMissingLibraryIsNamed();
      manyCallsRunDuringCollections();
    } finally {
      try (Stream<Path> files = Files.walk(root)) {
        files.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
      }
    }
  }
}
