// SPDX-License-Identifier: MIT
package tessera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** The group of the calls of all applications. One daemon thread receives its events, and ends when it is idle. */
final class Calls {
  private static final int EVENT_SIZE = 40;
  private static final int EVENT_NONE = 0;
  private static final int EVENT_RESULT = 1;
  private static final int IDLE_MILLISECONDS = 10_000;

  private static final Map<Long, Call<?>> CALLS = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  private static volatile long group;
  // With the lock of the class.
  private static boolean isReceiving;
  private static long started;

  private Calls() {}

  private static synchronized void open() {
    if (group == 0) {
      long[] created = new long[1];
      long[] response = new long[1];
      int status = Functions.tessera_call_group_create(created, response);
      Library.check(status, response[0]);
      group = created[0];
    }
  }

  /** Starts a call. The object receives its events. Returns the response if the call has succeeded at once. */
  static String begin(
      Functions.StartFunction function, Application.Handle handle, Document request, Call<?> receiver) {
    if (group == 0) {
      open();
    }
    long key = LAST.incrementAndGet();
    long[] call = new long[1];
    long[] response = new long[1];
    int status;
    CALLS.put(key, receiver);
    handle.lock.readLock().lock();
    try {
      status = function.call(group, handle.address, request.toBytes(), key, call, response);
    } finally {
      handle.lock.readLock().unlock();
    }
    if (call[0] == 0) {
      CALLS.remove(key);
      String text = Library.taken(response[0]);
      receiver.finish(status, text);
      return status == Library.OK ? text : null;
    }
    Functions.tessera_string_free(response[0]);
    receive();
    receiver.cancelWithFuture(call[0]);
    return null;
  }

  /** Receives the events of a call that has started. */
  private static synchronized void receive() {
    started++;
    if (isReceiving) {
      Calls.class.notifyAll();
    } else {
      isReceiving = true;
      Thread thread = new Thread(null, Calls::run, "Tessera events");
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      thread.start();
    }
  }

  private static void run() {
    ByteBuffer event = ByteBuffer.allocateDirect(EVENT_SIZE).order(ByteOrder.nativeOrder());
    event.putLong(0, EVENT_SIZE);
    long address = Library.address(event);
    while (true) {
      long known;
      synchronized (Calls.class) {
        known = started;
      }
      int status = Functions.tessera_call_group_next_event(group, -1, address);
      int kind = status == Library.OK ? event.getInt(16) : EVENT_NONE;
      String response = Library.taken(event.getLong(32));
      if (kind != EVENT_NONE) {
        deliver(event.getLong(24), kind, event.getInt(20), response);
      } else if (isIdle(known)) {
        return;
      }
    }
  }

  private static void deliver(long key, int kind, int status, String response) {
    Call<?> receiver = kind == EVENT_RESULT ? CALLS.remove(key) : CALLS.get(key);
    if (kind == EVENT_RESULT && receiver != null) {
      receiver.receiveResult(status, response);
    } else if (receiver != null) {
      receiver.receivePrompt(response);
    }
  }

  /** Waits for another call while none is in progress. Returns whether the thread should end. */
  private static synchronized boolean isIdle(long known) {
    if (started == known) {
      try {
        Calls.class.wait(IDLE_MILLISECONDS);
      } catch (InterruptedException ignored) {
        // Nothing interrupts this thread.
      }
    }
    isReceiving = started != known;
    return !isReceiving;
  }

  /** Starts a call, and performs its functions on this thread until it has a result. */
  static <R> R await(Function<Executor, CompletableFuture<R>> start) {
    Waiting waiting = new Waiting();
    return waiting.join(start.apply(waiting));
  }

  /** A call and its future. A future that is completed otherwise, such as by a timeout, cancels the call. */
  static final class Call<R> {
    final CompletableFuture<R> future = new CompletableFuture<>();
    /** The callbacks of the application are needed until the call ends. */
    final Application application;
    private final Function<Map<String, Object>, R> make;
    private final Consumer<Map<String, Object>> prompt;
    private final Executor executor;
    private CompletableFuture<Void> tasks = CompletableFuture.completedFuture(null);
    private volatile boolean isFinished;

    Call(
        Application application,
        Function<Map<String, Object>, R> make,
        Consumer<Map<String, Object>> prompt,
        Executor executor) {
      this.application = application;
      this.make = make;
      this.prompt = prompt;
      this.executor = executor;
    }

    /** Cancels the call if its future is completed otherwise. */
    void cancelWithFuture(long call) {
      future.whenComplete(
          (result, thrown) -> {
            if (!isFinished) {
              Functions.tessera_call_group_cancel(group, call);
            }
          });
    }

    private void finish(int status, String response) {
      isFinished = true;
      try {
        future.complete(Library.decoded(status, response, make));
      } catch (Throwable thrown) {
        future.completeExceptionally(thrown);
      }
    }

    void receiveResult(int status, String response) {
      isFinished = true;
      execute(() -> finish(status, response));
    }

    void receivePrompt(String text) {
      execute(() -> show(text));
    }

    private void show(String text) {
      try {
        if (prompt != null && !future.isDone()) {
          prompt.accept(Json.parse(text));
        }
      } catch (Throwable thrown) {
        future.completeExceptionally(thrown);
      }
    }

    /** Runs a task after the earlier ones. */
    private void execute(Runnable task) {
      try {
        tasks = tasks.thenRunAsync(task, executor);
      } catch (Throwable thrown) {
        // The thread of the events must not end.
        future.completeExceptionally(thrown);
      }
    }
  }

  /** Runs the functions of a call on the thread that waits for it. */
  private static final class Waiting implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    /** Returns the result of a future that the tasks complete. An interrupt of the thread cancels the call. */
    <R> R join(CompletableFuture<R> future) {
      try {
        while (!future.isDone()) {
          tasks.take().run();
        }
      } catch (InterruptedException interrupt) {
        future.cancel(true);
        Thread.currentThread().interrupt();
        throw TesseraException.of(Library.CANCELLED, ErrorCodes.CANCELLED, "The waiting thread was interrupted.");
      }
      try {
        return future.join();
      } catch (CompletionException failed) {
        if (failed.getCause() instanceof RuntimeException) {
          throw (RuntimeException) failed.getCause();
        }
        if (failed.getCause() instanceof Error) {
          throw (Error) failed.getCause();
        }
        throw failed;
      }
    }
  }
}
