// SPDX-License-Identifier: MIT
package reactor.core.publisher;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The class of Reactor, as far as the adapter uses it. */
public abstract class Mono<T> {
  /** Returns a publisher whose subscription starts a future. */
  public static <T> Mono<T> fromFuture(Supplier<? extends CompletableFuture<? extends T>> supplier) {
    return new Mono<T>() {
      @Override
      public T block() {
        return supplier.get().join();
      }
    };
  }

  /** Returns a publisher of converted values. */
  public final <R> Mono<R> map(Function<? super T, ? extends R> mapper) {
    Mono<T> source = this;
    return new Mono<R>() {
      @Override
      public R block() {
        return mapper.apply(source.block());
      }
    };
  }

  /** Subscribes, and waits for the value. */
  public abstract T block();
}
