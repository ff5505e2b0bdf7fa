// SPDX-License-Identifier: MIT
package tessera;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An OAuth 2.0 public client. Any number of threads may use it.
 *
 * <p>Cancelling the future of a call cancels the call, and so does completing it otherwise, such as by {@code
 * orTimeout}. Futures that depend on it, such as those of {@code thenApply}, do not pass a cancellation on. An
 * interrupt of a thread that waits for a sign-in or a refresh cancels that call with {@link CancelledException}.
 */
public final class Application extends ApplicationMethods implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Handle handle;
  private final Cleaner.Cleanable cleanable;
  private final Executor executor;
  private final ResultCache results = new ResultCache();

  private Application(Handle handle, Executor executor) {
    this.handle = handle;
    this.executor = executor;
    this.cleanable = CLEANER.register(this, handle);
  }

  /** The application in the library, and the action that frees it. */
  static final class Handle implements Runnable {
    /** A call holds the lock for reading while the library uses the address. */
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    long address;
    private final long host;

    Handle(long address, long host) {
      this.address = address;
      this.host = host;
    }

    @Override
    public void run() {
      lock.writeLock().lock();
      try {
        Functions.tessera_application_free(address);
        address = 0;
        Host.release(host);
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  /** Creates an application. It performs no I/O. */
  public static Application create(Configuration configuration) {
    return create(configuration, Host.builder().build());
  }

  /** Creates an application with callbacks. It performs no I/O. */
  public static Application create(Configuration configuration, Host host) {
    Library.need();
    long[] application = new long[1];
    long[] response = new long[1];
    long number = host.register();
    ByteBuffer structure = host.structure(number);
    try {
      int status =
          Functions.tessera_application_create(
              configuration.toBytes(), Library.address(structure), application, response);
      Library.check(status, response[0]);
    } catch (Throwable thrown) {
      Host.release(number);
      throw thrown;
    } finally {
      Reference.reachabilityFence(structure);
    }
    return new Application(new Handle(application[0], number), host.executor());
  }

  /**
   * Frees the application, after the calls that do not wait for a server have ended. Calls that do continue. Calls of
   * a closed application fail with {@link InvalidRequestException}. An application that is not closed is freed some
   * time after its last use.
   */
  @Override
  public void close() {
    if (handle.lock.getReadHoldCount() > 0) {
      throw new IllegalStateException("A callback must not close the application that calls it.");
    }
    cleanable.clean();
  }

  // MARK: Tokens

  /**
   * Returns a cached token, or refreshes it, without user interaction. If the server granted fewer scopes than
   * requested, {@link TokenResult#declinedScopes} has the others.
   */
  public TokenResult acquireTokenSilent(SilentRequest request) {
    return Calls.await(executor -> silent(request, executor));
  }

  /** Starts {@link #acquireTokenSilent}. The future is complete if the token is cached. */
  public CompletableFuture<TokenResult> acquireTokenSilentAsync(SilentRequest request) {
    return silent(request, executor);
  }

  private CompletableFuture<TokenResult> silent(SilentRequest request, Executor executor) {
    TokenResult cached = cached(request);
    if (cached != null) {
      return CompletableFuture.completedFuture(cached);
    }
    Calls.Call<TokenResult> call = new Calls.Call<>(this, TokenResult::new, null, executor);
    String response = Calls.begin(Functions::tessera_call_group_acquire_token_silent, handle, request, call);
    if (response != null && !call.future.isCompletedExceptionally()) {
      results.insert(request, response, call.future.join());
    }
    return call.future;
  }

  /** Returns the cached token, without decoding it again; null if there is none any more. */
  private TokenResult cached(SilentRequest request) {
    ResultCache.Entry known = results.find(request);
    if (known == null) {
      return null;
    }
    long[] response = new long[1];
    handle.lock.readLock().lock();
    try {
      int status =
          Functions.tessera_application_acquire_token_silent(handle.address, known.immediate, 0, response);
      if (status == Library.OK && CLibrary.strcmp(response[0], known.response) == 0) {
        Functions.tessera_string_free(response[0]);
        return known.result;
      }
      String text = Library.taken(response[0]);
      if (status != Library.OK) {
        return null;
      }
      TokenResult result = Library.decoded(status, text, TokenResult::new);
      results.insert(request, text, result);
      return result;
    } finally {
      handle.lock.readLock().unlock();
    }
  }

  /**
   * Signs a user in on another device: passes a code to the function, and waits until the user enters it (RFC 8628).
   * The function is called on this thread. If it throws an exception, the call ends with that exception.
   */
  public TokenResult acquireTokenByDeviceCode(DeviceCodeRequest request, Consumer<DeviceCodePrompt> prompt) {
    return Calls.await(executor -> byDeviceCode(request, prompt, executor));
  }

  /** Starts {@link #acquireTokenByDeviceCode}. The executor of the host calls the function. */
  public CompletableFuture<TokenResult> acquireTokenByDeviceCodeAsync(
      DeviceCodeRequest request, Consumer<DeviceCodePrompt> prompt) {
    return byDeviceCode(request, prompt, executor);
  }

  private CompletableFuture<TokenResult> byDeviceCode(
      DeviceCodeRequest request, Consumer<DeviceCodePrompt> prompt, Executor executor) {
    Objects.requireNonNull(prompt);
    Consumer<Map<String, Object>> show = text -> prompt.accept(new DeviceCodePrompt(text));
    return start(
        Functions::tessera_call_group_acquire_token_by_device_code, request, TokenResult::new, show, executor);
  }

  /**
   * Signs a user in with a browser. The function receives the address of the sign-in page, on this thread. It is null
   * if the program cannot show an address, and the call then fails at once without a browser. If it throws an
   * exception, the call ends with that exception.
   */
  public TokenResult acquireTokenInteractive(InteractiveRequest request, Consumer<SignInPrompt> prompt) {
    return Calls.await(executor -> interactive(request, prompt, executor));
  }

  /** Starts {@link #acquireTokenInteractive}. The executor of the host calls the function. */
  public CompletableFuture<TokenResult> acquireTokenInteractiveAsync(
      InteractiveRequest request, Consumer<SignInPrompt> prompt) {
    return interactive(request, prompt, executor);
  }

  private CompletableFuture<TokenResult> interactive(
      InteractiveRequest request, Consumer<SignInPrompt> prompt, Executor executor) {
    boolean showsAddress = prompt != null || request.members().containsKey("shows_address");
    InteractiveRequest given = showsAddress ? request : request.toBuilder().showsAddress(false).build();
    Consumer<Map<String, Object>> show = prompt == null ? null : text -> prompt.accept(new SignInPrompt(text));
    return start(Functions::tessera_call_group_acquire_token_interactive, given, TokenResult::new, show, executor);
  }

  @Override
  <R> CompletableFuture<R> start(
      Functions.StartFunction function, Document request, Function<Map<String, Object>, R> make, Executor executor) {
    return start(function, request, make, null, executor);
  }

  private <R> CompletableFuture<R> start(
      Functions.StartFunction function,
      Document request,
      Function<Map<String, Object>, R> make,
      Consumer<Map<String, Object>> prompt,
      Executor executor) {
    Calls.Call<R> call = new Calls.Call<>(this, make, prompt, executor);
    Calls.begin(function, handle, request, call);
    return call.future;
  }

  @Override
  Executor executor() {
    return executor;
  }

  /**
   * Runs a function that makes blocking calls on the executor of the host, such as {@code a -> a.signOut(request)}.
   * Cancelling the future cancels its calls.
   */
  public <R> CompletableFuture<R> async(Function<Application, R> function) {
    CompletableFuture<R> future = new CompletableFuture<>();
    try {
      executor.execute(() -> run(function, future));
    } catch (RejectedExecutionException thrown) {
      future.completeExceptionally(thrown);
    }
    return future;
  }

  private <R> void run(Function<Application, R> function, CompletableFuture<R> future) {
    Cancellation cancellation = new Cancellation();
    future.whenComplete((result, thrown) -> cancellation.cancel());
    R result = null;
    Throwable failure = null;
    try {
      result = future.isDone() ? null : function.apply(this);
    } catch (Throwable thrown) {
      failure = thrown;
    }
    // Before the future is complete, which cancels.
    cancellation.close();
    if (failure == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(failure);
    }
  }

  // MARK: Accounts and store

  /** Copies the accounts and tokens from the store of another application. */
  public CopyReport copySignIns(Application from, CopyRequest request) {
    // Always in the same order: with a waiting close of each application, two opposite copies would block each other.
    boolean isFirst = handle.host < from.handle.host;
    Handle first = isFirst ? handle : from.handle;
    Handle second = isFirst ? from.handle : handle;
    first.lock.readLock().lock();
    second.lock.readLock().lock();
    try {
      return called(
          response ->
              Functions.tessera_application_copy_sign_ins(
                  handle.address, from.handle.address, request.toBytes(), Cancellation.current(), response),
          CopyReport::new);
    } finally {
      second.lock.readLock().unlock();
      first.lock.readLock().unlock();
    }
  }

  @Override
  <R> R perform(
      Functions.RequestFunction function, Document request, Function<Map<String, Object>, R> make) {
    handle.lock.readLock().lock();
    try {
      return called(
          response -> function.call(handle.address, request.toBytes(), Cancellation.current(), response), make);
    } finally {
      handle.lock.readLock().unlock();
    }
  }

  @Override
  <R> R perform(
      Functions.DataFunction function, Document request, byte[] data, Function<Map<String, Object>, R> make) {
    long size = data == null ? 0 : data.length;
    handle.lock.readLock().lock();
    try {
      return called(
          response ->
              function.call(handle.address, request.toBytes(), data, size, Cancellation.current(), response),
          make);
    } finally {
      handle.lock.readLock().unlock();
    }
  }

  /** A call that writes its response. */
  interface NativeCall {
    int call(long[] response);
  }

  static <R> R called(NativeCall call, Function<Map<String, Object>, R> make) {
    long[] response = new long[1];
    int status = call.call(response);
    return Library.decoded(status, Library.taken(response[0]), make);
  }

  /** The decoded responses of silent requests. Results are shared with other calls. */
  private static final class ResultCache {
    // The cache is emptied when it is full.
    private static final int LIMIT = 1000;

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    Entry find(SilentRequest request) {
      return entries.get(request.toJson());
    }

    void insert(SilentRequest request, String response, TokenResult result) {
      if (entries.size() >= LIMIT) {
        entries.clear();
      }
      entries.put(request.toJson(), new Entry(request, response, result));
    }

    static final class Entry {
      /** The request with a timeout of 0: a cached token is returned, and the call waits for nothing. */
      final byte[] immediate;
      final byte[] response;
      final TokenResult result;

      Entry(SilentRequest request, String response, TokenResult result) {
        this.immediate = request.toBuilder().timeout(Duration.ZERO).build().toBytes();
        this.response = Library.terminated(response);
        this.result = result;
      }
    }
  }
}
