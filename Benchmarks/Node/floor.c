/* SPDX-License-Identifier: MIT */
/** @file floor.c A function without work: the minimum cost of a call from JavaScript. */
#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>

static napi_value nothing(napi_env env, napi_callback_info info) {
  (void)env, (void)info;
  return NULL;
}

NAPI_MODULE_INIT() {
  napi_value function = NULL;
  napi_create_function(env, "nothing", NAPI_AUTO_LENGTH, nothing, NULL, &function);
  napi_set_named_property(env, exports, "nothing", function);
  return exports;
}
