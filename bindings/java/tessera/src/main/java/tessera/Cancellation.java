// SPDX-License-Identifier: MIT
package tessera;

/** Cancels the blocking calls that a function makes on one thread. */
final class Cancellation {
  private static final ThreadLocal<Cancellation> CURRENT = new ThreadLocal<>();

  private final Thread thread = Thread.currentThread();
  private boolean isCancelled;
  private long handle = Functions.tessera_cancellation_create();

  Cancellation() {
    CURRENT.set(this);
  }

  /** Returns the handle of the cancellation of this thread; 0 if nothing cancels its calls. */
  static long current() {
    Cancellation current = CURRENT.get();
    return current == null ? 0 : current.handle;
  }

  /** Cancels the present and future calls, and the ones that wait for an event. */
  synchronized void cancel() {
    if (handle != 0) {
      Functions.tessera_cancellation_cancel(handle);
      isCancelled = true;
      thread.interrupt();
    }
  }

  /** Ends the use of the cancellation, on its thread. */
  synchronized void close() {
    CURRENT.remove();
    Functions.tessera_cancellation_free(handle);
    handle = 0;
    if (isCancelled) {
      // The interrupt was for the calls that have ended.
      Thread.interrupted();
    }
  }
}
