// SPDX-License-Identifier: MIT
// Generated from include/tessera.h by scripts/check-documents --write.
package tessera;

import com.sun.jna.Callback;
import com.sun.jna.Pointer;

/** The functions of the C interface. Addresses are numbers; arrays of one element receive values. */
final class Functions {
  private Functions() {}

  /** A function with the parameters of {@code tessera_application_sign_out}. */
  interface RequestFunction {
    int call(long application, byte[] request, long cancellation, long[] response);
  }

  /** A function with the parameters of {@code tessera_application_migrate}. */
  interface DataFunction {
    int call(long application, byte[] request, byte[] data, long size, long cancellation, long[] response);
  }

  /** A function with the parameters of {@code tessera_call_group_begin_sign_in}. */
  interface StartFunction {
    int call(long calls, long application, byte[] request, long userData, long[] call, long[] response);
  }

  /** The callback {@code log} of a host, for JNA. */
  interface LogCallback extends Callback {
    void invoke(long userData, int level, Pointer message);
  }

  /** The callback {@code store_key} of a host, for JNA. */
  interface StoreKeyCallback extends Callback {
    int invoke(long userData, Pointer key, long size);
  }

  /** The callback {@code transport} of a host, for JNA. */
  interface TransportCallback extends Callback {
    void invoke(long userData, Pointer request, long exchange);
  }

  static native int tessera_abi_version();

  static native int tessera_library_features(long[] response);

  static native void tessera_string_free(long string);

  static native long tessera_cancellation_create();

  static native void tessera_cancellation_cancel(long cancellation);

  static native void tessera_cancellation_free(long cancellation);

  static native void tessera_exchange_respond(long exchange, byte[] response);

  static native int tessera_exchange_is_cancelled(long exchange);

  static native int tessera_application_create(
      byte[] configuration, long host, long[] application, long[] response);

  static native void tessera_application_free(long application);

  static native int tessera_application_metrics(long application, long[] response);

  static native int tessera_application_get_accounts(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_get_account(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_get_current_account(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_remove_account(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_sign_out(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_acquire_token_silent(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_explain(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_token_describe(byte[] token, long[] response);

  static native int tessera_application_begin_sign_in(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_complete_sign_in(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_library_hand_over_url(byte[] url, long cancellation, long[] response);

  static native int tessera_call_group_create(long[] calls, long[] response);

  static native int tessera_call_group_descriptor(long calls);

  static native int tessera_call_group_acquire_token_silent(
      long calls, long application, byte[] request, long userData, long[] call, long[] response);

  static native int tessera_call_group_acquire_token_by_device_code(
      long calls, long application, byte[] request, long userData, long[] call, long[] response);

  static native int tessera_call_group_acquire_token_interactive(
      long calls, long application, byte[] request, long userData, long[] call, long[] response);

  static native int tessera_call_group_begin_sign_in(
      long calls, long application, byte[] request, long userData, long[] call, long[] response);

  static native int tessera_call_group_complete_sign_in(
      long calls, long application, byte[] request, long userData, long[] call, long[] response);

  static native int tessera_call_group_next_event(long calls, long timeoutMilliseconds, long event);

  static native void tessera_call_group_cancel(long calls, long call);

  static native void tessera_call_group_free(long calls);

  static native int tessera_application_get_store_info(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_rotate_store_key(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_read_cache(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_write_cache(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_copy_sign_ins(
      long application, long from, byte[] request, long cancellation, long[] response);

  static native int tessera_application_migrate(
      long application, byte[] request, byte[] data, long size, long cancellation, long[] response);

  static native int tessera_application_export_sign_ins(
      long application, byte[] request, byte[] data, long size, long cancellation, long[] response);

  static native int tessera_library_known_caches(byte[] request, long cancellation, long[] response);

  static native int tessera_application_get_broker_version(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_get_broker_accounts(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_get_broker_sso_cookie(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_get_broker_signed_http_request(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_application_acquire_token_for_client(
      long application, byte[] request, long cancellation, long[] response);

  static native int tessera_call_group_acquire_token_for_client(
      long calls, long application, byte[] request, long userData, long[] call, long[] response);
}
