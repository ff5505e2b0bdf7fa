// SPDX-License-Identifier: MIT

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenRequestContext;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import sun.misc.Signal;
import tessera.Account;
import tessera.Application;
import tessera.Configuration;
import tessera.DeviceCodePrompt;
import tessera.DeviceCodeRequest;
import tessera.DriverJson;
import tessera.Host;
import tessera.SilentRequest;
import tessera.StoreOptions;
import tessera.TesseraException;
import tessera.TokenResult;
import tessera.TransportResponse;
import tessera.azure.TesseraCredential;

/** The driver of the Java binding; Tests/Runtimes/run describes the commands. */
public final class Driver {
  private static final Map<String, String> REMEDIES =
      Map.of(
          "SignInRequiredException", "sign_in", "RetryLaterException", "retry_later", "InvalidRequestException",
          "fix_request", "ConfigurationException", "fix_configuration", "StorageException", "fix_storage",
          "CancelledException", "cancelled", "InternalException", "report_bug");
  private static final ConcurrentLinkedQueue<String> LINES = new ConcurrentLinkedQueue<>();
  private static final ScheduledExecutorService TIMER =
      Executors.newScheduledThreadPool(
          1,
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });
  private static Application application;

  private Driver() {}

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(Map<String, Object> command, String name) {
    return (Map<String, Object>) command.getOrDefault(name, Map.of());
  }

  @SuppressWarnings("unchecked")
  private static List<String> texts(Map<String, Object> part, String name) {
    return (List<String>) part.get(name);
  }

  private static Map<String, Object> create(Map<String, Object> command) {
    if (part(command, "configuration").containsKey("clientid")) {
      return Map.of("skipped", "a builder has no unknown members");
    }
    application = created(command);
    return Map.of("status", "ok");
  }

  private static Application created(Map<String, Object> command) {
    Map<String, Object> given = part(command, "configuration");
    Map<String, Object> store = part(given, "store");
    Configuration.Builder configuration =
        Configuration.builder((String) given.get("client_id"))
            .authority((String) given.get("authority"))
            .authorityType((String) given.get("authority_type"))
            .cloud((String) given.get("cloud"))
            .store(
                StoreOptions.builder()
                    .directory((String) store.get("directory"))
                    .group((String) store.get("group"))
                    .keySources(texts(store, "key_sources"))
                    .build());
    if (given.containsKey("log_level")) {
      configuration.logLevel((Long) given.get("log_level"));
    }
    Host.Builder host =
        Host.builder()
            .log(
                (level, message) -> {
                  throwIfGiven(command);
                  LINES.add(message);
                });
    Map<String, Object> transport = part(command, "transport");
    if (!transport.isEmpty()) {
      host.transport(
          (request, isCancelled) -> {
            throwIfGiven(transport);
            if (transport.containsKey("error")) {
              throw new IOException((String) transport.get("error"));
            }
            return TransportResponse.builder().status((Long) transport.get("status")).body("").build();
          });
    }
    return Application.create(configuration.build(), host.build());
  }

  private static void throwIfGiven(Map<String, Object> part) {
    if (part.containsKey("throws")) {
      throw new UnsupportedOperationException((String) part.get("throws"));
    }
  }

  private static SilentRequest request(Map<String, Object> command) {
    Map<String, Object> given = part(command, "request");
    SilentRequest.Builder request =
        SilentRequest.builder()
            .scopes(texts(given, "scopes"))
            .homeAccountId((String) given.get("home_account_id"))
            .username((String) given.get("username"));
    if (given.containsKey("force_refresh")) {
      request.forceRefresh((Boolean) given.get("force_refresh"));
    }
    return request.build();
  }

  private static Map<String, Object> silent(Map<String, Object> command) {
    return described(application.acquireTokenSilent(request(command)));
  }

  /** Makes many calls on few threads, and some by the adapter. */
  private static Map<String, Object> asynchronous(Map<String, Object> command) {
    TokenResult token = application.acquireTokenSilentAsync(request(command)).join();
    SilentRequest again = SilentRequest.builder().scopes(texts(part(command, "request"), "scopes")).build();
    List<CompletableFuture<TokenResult>> futures = new ArrayList<>();
    for (int index = 0; index < 200; index++) {
      futures.add(application.acquireTokenSilentAsync(again));
    }
    futures.forEach(CompletableFuture::join);
    TesseraCredential credential = new TesseraCredential(application);
    TokenRequestContext context = new TokenRequestContext().setScopes(again.scopes());
    for (AccessToken each : List.of(credential.getToken(context).block(), credential.getTokenSync(context))) {
      if (!each.getToken().equals(token.accessToken()) || !each.getExpiresAt().toInstant().equals(token.expiresOn())) {
        return Map.of("status", "the credential has another token");
      }
    }
    return described(token);
  }

  private static Map<String, Object> deviceCode(Map<String, Object> command) {
    Map<String, Object> given = part(command, "request");
    DeviceCodeRequest.Builder request = DeviceCodeRequest.builder().scopes(texts(given, "scopes"));
    if (given.containsKey("timeout_milliseconds")) {
      request.timeout(Duration.ofMillis((Long) given.get("timeout_milliseconds")));
    }
    Consumer<DeviceCodePrompt> prompt =
        shown -> {
          throwIfGiven(command);
          respond(Map.of("user_code", shown.userCode()));
        };
    if (command.containsKey("cancel_after_milliseconds")) {
      CompletableFuture<TokenResult> future = application.acquireTokenByDeviceCodeAsync(request.build(), prompt);
      long delay = (Long) command.get("cancel_after_milliseconds");
      TIMER.schedule(() -> future.cancel(true), delay, TimeUnit.MILLISECONDS);
      return described(future.join());
    }
    Thread waiting = Thread.currentThread();
    Signal.handle(new Signal("INT"), signal -> waiting.interrupt());
    return described(application.acquireTokenByDeviceCode(request.build(), prompt));
  }

  private static Map<String, Object> asynchronousDeviceCode(Map<String, Object> command) {
    DeviceCodeRequest request =
        DeviceCodeRequest.builder().scopes(texts(part(command, "request"), "scopes")).build();
    Consumer<DeviceCodePrompt> prompt = shown -> respond(Map.of("user_code", shown.userCode()));
    return described(application.acquireTokenByDeviceCodeAsync(request, prompt).join());
  }

  /** Signs in on another thread, which an interrupt of the program interrupts. */
  private static Map<String, Object> deviceCodeOnAThread(Map<String, Object> command) {
    Supplier<Map<String, Object>> call =
        () -> {
          try {
            return deviceCode(command);
          } catch (RuntimeException thrown) {
            return described(thrown);
          }
        };
    return CompletableFuture.supplyAsync(call, task -> new Thread(task).start()).join();
  }

  private static Map<String, Object> accounts() {
    List<String> names = new ArrayList<>();
    for (Account each : application.getAccounts().accounts()) {
      names.add(each.username().orElse(""));
    }
    return Map.of("status", "ok", "usernames", names);
  }

  private static Map<String, Object> described(TokenResult token) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("status", token.declinedScopes().isEmpty() ? "ok" : "sign_in");
    result.put("token", token.accessToken());
    result.put("source", token.source());
    result.put("username", token.account().username().orElse(""));
    result.put("declined", token.declinedScopes());
    return result;
  }

  private static Map<String, Object> described(Throwable thrown) {
    boolean isInterrupted = Thread.interrupted();
    if (thrown instanceof CompletionException) {
      return described(thrown.getCause());
    }
    if (thrown instanceof CancellationException) {
      return Map.of("status", "cancelled", "code", "cancelled");
    }
    if (thrown instanceof UnsupportedOperationException) {
      return Map.of("thrown", thrown.getMessage());
    }
    if (!(thrown instanceof TesseraException)) {
      throw new IllegalStateException(thrown);
    }
    TesseraException error = (TesseraException) thrown;
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("status", REMEDIES.get(error.getClass().getSimpleName()));
    result.put("code", error.code());
    result.put("claims", error.details().claims().orElse(""));
    result.put("interrupted", isInterrupted);
    return result;
  }

  /** Returns the resident memory, with the used part of the heap, which is resident from the start. */
  private static long kilobytes() throws IOException {
    System.gc();
    String[] sizes = Files.readString(Path.of("/proc/self/statm")).split(" ");
    Runtime runtime = Runtime.getRuntime();
    return Long.parseLong(sizes[1]) * 4 + (runtime.totalMemory() - runtime.freeMemory()) / 1024;
  }

  private static int descriptors() {
    return new File("/proc/self/fd").list().length;
  }

  private static Map<String, Object> repeat(Map<String, Object> command) throws IOException {
    long count = (Long) command.get("count");
    // The first calls have the memory of the compiler.
    for (long index = 0; index < count / 2; index++) {
      silent(command);
    }
    long before = kilobytes();
    for (long index = 0; index < count; index++) {
      silent(command);
    }
    Map<String, Object> result = new LinkedHashMap<>(silent(command));
    result.put("kilobytes", kilobytes() - before);
    return result;
  }

  private static Map<String, Object> drop(Map<String, Object> command) throws Exception {
    Map<String, Object> result = new LinkedHashMap<>();
    int files = 0;
    long before = 0;
    // The first round has the peak of the memory, which the allocator keeps.
    for (int round = 0; round < 2; round++) {
      files = descriptors();
      before = kilobytes();
      for (long index = 0; index < (Long) command.get("count"); index++) {
        create(command);
        result.putAll(silent(command));
      }
      application = null;
      // Cleaners run some time after a collection.
      for (int index = 0; index < 600 && descriptors() > files; index++) {
        System.gc();
        Thread.sleep(50);
      }
    }
    result.put("descriptors", descriptors() - files);
    result.put("kilobytes", kilobytes() - before);
    return result;
  }

  /** Makes calls while the garbage collector runs and frees other applications. */
  private static Map<String, Object> collect(Map<String, Object> command) {
    SilentRequest request = request(command);
    Set<String> tokens = ConcurrentHashMap.newKeySet();
    Runnable calls =
        () -> {
          for (long index = 0; index < (Long) command.get("count"); index++) {
            tokens.add(created(command).acquireTokenSilent(request).accessToken());
          }
        };
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      futures.add(CompletableFuture.runAsync(calls, task -> new Thread(task).start()));
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]));
    while (!all.isDone()) {
      System.gc();
    }
    all.join();
    create(command);
    Map<String, Object> result = new LinkedHashMap<>(silent(command));
    result.put("tokens", (long) tokens.size());
    return result;
  }

  private static Map<String, Object> threads(Map<String, Object> command) throws Exception {
    Set<Object> tokens = ConcurrentHashMap.newKeySet();
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      Runnable calls =
          () -> {
            for (long index = 0; index < (Long) command.get("count"); index++) {
              tokens.add(silent(command).get("token"));
            }
          };
      futures.add(CompletableFuture.runAsync(calls, task -> new Thread(task).start()));
    }
    futures.forEach(CompletableFuture::join);
    Map<String, Object> result = new LinkedHashMap<>(silent(command));
    result.put("tokens", (long) tokens.size());
    return result;
  }

  private static Map<String, Object> perform(Map<String, Object> command) throws Exception {
    switch ((String) command.get("do")) {
      case "create":
        return create(command);
      case "silent":
        return command.containsKey("asynchronous") ? asynchronous(command) : silent(command);
      case "device_code":
        return deviceCode(command);
      case "device_code_on_a_thread":
        return deviceCodeOnAThread(command);
      case "asynchronous_device_code":
        return asynchronousDeviceCode(command);
      case "accounts":
        return accounts();
      case "log":
        return Map.of("status", "ok", "lines", new ArrayList<>(LINES));
      case "repeat":
        return repeat(command);
      case "threads":
        return threads(command);
      case "collect":
        return collect(command);
      case "drop":
        return drop(command);
      case "fork":
        return Map.of("skipped", "the Java virtual machine does not fork");
      default:
        return Map.of("skipped", "the driver does not know this command");
    }
  }

  private static synchronized void respond(Map<String, Object> result) {
    System.out.println(DriverJson.write(result));
  }

  /** Performs the commands of standard input. */
  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Map<String, Object> result;
      try {
        result = perform(DriverJson.parse(line));
      } catch (RuntimeException thrown) {
        result = described(thrown);
      }
      respond(result);
    }
  }
}
