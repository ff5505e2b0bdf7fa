// SPDX-License-Identifier: MIT

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tessera.Application;
import tessera.Configuration;
import tessera.SilentRequest;
import tessera.StoreOptions;

/** The Java contestant: acquires tokens through the binding, and reads each token. */
public final class Contestant {
  private static final Pattern REQUEST =
      Pattern.compile("\"home_account_id\":\"([^\"]*)\",\"scopes\":\\[\"([^\"]*)\"\\]");
  /** The number of calls after which the virtual machine has compiled the methods. */
  private static final int COMPILED = 50_000;
  /** The duration of a batch in nanoseconds. */
  private static final long BATCH = 250_000;

  private final IntConsumer acquire;

  private Contestant(IntConsumer acquire) {
    this.acquire = acquire;
  }

  // The floor: a C function that does nothing.
  private static native int tessera_abi_version();

  private static Contestant floor() {
    Native.register(Contestant.class, NativeLibrary.getInstance(System.getenv("TESSERA_LIBRARY")));
    return new Contestant(index -> check(tessera_abi_version() > 0));
  }

  private static Contestant binding(String[] words) throws Exception {
    Application application =
        Application.create(
            Configuration.builder(words[1])
                .authority(words[2])
                .store(StoreOptions.builder().directory(words[3]).group(words[4]).build())
                .build());
    List<SilentRequest> requests = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(words[5]))) {
      Matcher found = REQUEST.matcher(line.replace(" ", ""));
      check(found.find());
      requests.add(SilentRequest.builder().homeAccountId(found.group(1)).scopes(found.group(2)).build());
    }
    return new Contestant(
        index -> check(!application.acquireTokenSilent(requests.get(index)).accessToken().isEmpty()));
  }

  private static void check(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("a call or a line has another result");
    }
  }

  /** Returns the median of batches, in nanoseconds per call. */
  private double hit(int distinct, double seconds) {
    List<Double> times = new ArrayList<>();
    int size = 1;
    int position = 0;
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end || times.isEmpty()) {
      long start = System.nanoTime();
      for (int index = 0; index < size; index++) {
        acquire.accept(position);
        position = (position + 1) % distinct;
      }
      long spent = System.nanoTime() - start;
      if (spent < BATCH) {
        size *= 2;
      } else {
        times.add((double) spent / size);
      }
    }
    times.sort(null);
    return times.get(times.size() / 2);
  }

  private double warm(int count) {
    long start = System.nanoTime();
    for (int index = 0; index < count; index++) {
      acquire.accept(index);
    }
    double spent = System.nanoTime() - start;
    for (int index = 0; index < COMPILED; index++) {
      acquire.accept(index % count);
    }
    return spent;
  }

  /** Performs the commands of standard input. */
  public static void main(String[] words) throws Exception {
    if (words.length != 6) {
      throw new IllegalArgumentException("usage: Contestant java|jna CLIENT AUTHORITY DIRECTORY GROUP REQUESTS");
    }
    Contestant own = words[0].equals("jna") ? floor() : binding(words);
    System.out.println("ready");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] command = line.split(" ");
      int count = Integer.parseInt(command[1]);
      boolean isWarm = command[0].equals("warm");
      System.out.println(isWarm ? own.warm(count) : own.hit(count, Double.parseDouble(command[2])));
    }
  }
}
