// SPDX-License-Identifier: MIT
package tessera;

import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The callbacks of the host application. Several threads may call them at the same time, also daemon threads of the
 * library. They must not call the application.
 *
 * <p>An exception of the log or of the key's function is passed to the uncaught exception handler of the thread, which
 * prints it by default. The call continues without the message, or fails without the key. An exception of the
 * transport counts as a failed request, and is in the message of the error.
 */
public final class Host {
  private static final int KEY_SIZE = 32;
  private static final int STRUCTURE_SIZE = 64;
  private static final Map<Long, Host> HOSTS = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  // JNA frees callbacks that the program does not refer to.
  private static final Functions.LogCallback LOG = Host::writeLog;
  private static final Functions.StoreKeyCallback KEY = Host::provideKey;
  private static final Functions.TransportCallback TRANSPORT = Host::sendRequest;

  private final Log log;
  private final Supplier<byte[]> storeKey;
  private final Transport transport;
  private final Executor executor;

  private Host(Builder builder) {
    this.log = builder.log;
    this.storeKey = builder.storeKey;
    this.transport = builder.transport;
    this.executor = builder.executor;
  }

  /** Receives log messages. */
  @FunctionalInterface
  public interface Log {
    /** Receives a message: the level (1 error to 4 detail) and the text. */
    void write(int level, String message);
  }

  /** Returns a builder. What is not set has the default behaviour. */
  public static Builder builder() {
    return new Builder();
  }

  Executor executor() {
    return executor;
  }

  /** Returns a number that represents this object in the C interface until it is released. */
  long register() {
    long number = LAST.incrementAndGet();
    HOSTS.put(number, this);
    return number;
  }

  static void release(long number) {
    HOSTS.remove(number);
  }

  /** Returns a tessera_host. */
  ByteBuffer structure(long number) {
    ByteBuffer structure = ByteBuffer.allocateDirect(STRUCTURE_SIZE).order(ByteOrder.nativeOrder());
    structure.putLong(STRUCTURE_SIZE).putLong(number);
    structure.putLong(log == null ? 0 : address(LOG));
    structure.putLong(storeKey == null ? 0 : address(KEY));
    structure.putLong(transport == null ? 0 : address(TRANSPORT));
    return structure;
  }

  private static long address(com.sun.jna.Callback callback) {
    // The library's threads become daemon threads, and remain known to the virtual machine until they end.
    Native.setCallbackThreadInitializer(callback, new CallbackThreadInitializer(true, false, "Tessera"));
    return Pointer.nativeValue(CallbackReference.getFunctionPointer(callback));
  }

  // An exception must not enter the frames of the library. After the application is freed, there is no host.

  private static void report(Throwable thrown) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (Throwable ignored) {
      // As for a thread that ends.
    }
  }

  private static void writeLog(long number, int level, Pointer message) {
    Host host = HOSTS.get(number);
    try {
      if (host != null) {
        host.log.write(level, message.getString(0, "UTF-8"));
      }
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private static int provideKey(long number, Pointer key, long size) {
    Host host = HOSTS.get(number);
    try {
      byte[] found = host == null ? new byte[0] : host.storeKey.get();
      if (found.length != size || size != KEY_SIZE) {
        return 1;
      }
      key.write(0, found, 0, KEY_SIZE);
      return 0;
    } catch (Throwable thrown) {
      report(thrown);
      return 1;
    }
  }

  private static void sendRequest(long number, Pointer request, long exchange) {
    TransportResponse response;
    try {
      TransportRequest received = new TransportRequest(Json.parse(request.getString(0, "UTF-8")));
      response =
          HOSTS.get(number).transport.send(received, () -> Functions.tessera_exchange_is_cancelled(exchange) != 0);
    } catch (Throwable thrown) {
      boolean isSent = !(thrown instanceof ConnectException);
      response = TransportResponse.builder().error(thrown.toString()).sent(isSent).build();
    }
    try {
      Functions.tessera_exchange_respond(exchange, response.toBytes());
    } catch (Throwable ignored) {
      // Without a response, the request counts as failed.
    }
  }

  /** Builds a host. */
  public static final class Builder {
    private Log log;
    private Supplier<byte[]> storeKey;
    private Transport transport;
    private Executor executor = ForkJoinPool.commonPool();

    private Builder() {}

    /** Sets the receiver of the log messages. */
    public Builder log(Log value) {
      log = value;
      return this;
    }

    /** Sets the function that returns the 32 bytes of the key of the store. */
    public Builder storeKey(Supplier<byte[]> value) {
      storeKey = value;
      return this;
    }

    /** Sets the function that sends the HTTP requests. */
    public Builder transport(Transport value) {
      transport = value;
      return this;
    }

    /** Sets the client that sends the HTTP requests. It must not use a proxy for this machine. */
    public Builder transport(HttpClient value) {
      return transport(new HttpClientTransport(value));
    }

    /** Sets the executor of the asynchronous calls' functions; the common pool by default. */
    public Builder executor(Executor value) {
      executor = Objects.requireNonNull(value);
      return this;
    }

    /** Returns the host. */
    public Host build() {
      return new Host(this);
    }
  }
}
