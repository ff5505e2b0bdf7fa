/* SPDX-License-Identifier: MIT */
/* The functions of Tessera for Lua 5.4. tessera_ffi.lua has the same ones for LuaJIT. */
#include <lauxlib.h>
#include <lua.h>
#include <tessera.h>

#define APPLICATION "tessera.application"
#define GROUP "tessera.group"

typedef tessera_status (*call)(tessera_application *, const char *, tessera_cancellation *, char **);
typedef tessera_status (*start)(
    tessera_call_group *, tessera_application *, const char *, void *, int64_t *, char **);

static const char *const calls[] = {"acquire_token_silent", "get_accounts", "sign_out", NULL};
static const call call_functions[] = {
    tessera_application_acquire_token_silent, tessera_application_get_accounts, tessera_application_sign_out};
static const char *const starts[] = {"acquire_token_silent", "acquire_token_by_device_code", NULL};
static const start start_functions[] = {
    tessera_call_group_acquire_token_silent, tessera_call_group_acquire_token_by_device_code};

/* Pushes a string of the library and frees it. */
static int push(lua_State *L, char *response) {
  if (response == NULL) return luaL_error(L, "out of memory");
  lua_pushstring(L, response);
  tessera_string_free(response);
  return 1;
}

/* Pushes an object that the garbage collector frees. */
static void **new_object(lua_State *L, const char *type) {
  void **object = lua_newuserdatauv(L, sizeof *object, 0);
  *object = NULL;
  luaL_setmetatable(L, type);
  return object;
}

static int close_application(lua_State *L) {
  void **application = luaL_checkudata(L, 1, APPLICATION);
  tessera_application_free(*application);
  *application = NULL;
  return 0;
}

static int free_group(lua_State *L) {
  void **group = luaL_checkudata(L, 1, GROUP);
  tessera_call_group_free(*group);
  *group = NULL;
  return 0;
}

/* Returns the response, and the application or nil. */
static int create(lua_State *L) {
  const char *configuration = luaL_checkstring(L, 1);
  tessera_application *application;
  char *response;
  void **object = new_object(L, APPLICATION);
  tessera_status status = tessera_application_create(configuration, NULL, &application, &response);
  *object = application;
  push(L, response);
  if (status == TESSERA_STATUS_OK) lua_pushvalue(L, -2);
  return status == TESSERA_STATUS_OK ? 2 : 1;
}

/* Makes a blocking call and returns the response. */
static int make_call(lua_State *L) {
  call function = call_functions[luaL_checkoption(L, 1, NULL, calls)];
  void **application = luaL_checkudata(L, 2, APPLICATION);
  char *response;
  tessera_status status = function(*application, luaL_optstring(L, 3, NULL), NULL, &response);
  (void)status; /* The response contains the error. */
  return push(L, response);
}

/* Starts a call. Returns the response, and the group of the call if the response follows as an event. */
static int start_call(lua_State *L) {
  start function = start_functions[luaL_checkoption(L, 1, NULL, starts)];
  void **application = luaL_checkudata(L, 2, APPLICATION);
  const char *request = luaL_checkstring(L, 3);
  tessera_call_group *group;
  int64_t number = 0;
  char *response;
  void **object = new_object(L, GROUP);
  if (tessera_call_group_create(&group, &response) != TESSERA_STATUS_OK) return push(L, response);
  tessera_string_free(response);
  *object = group;
  tessera_status status = function(group, *application, request, NULL, &number, &response);
  (void)status;
  push(L, response);
  if (number != 0) lua_pushvalue(L, -2);
  return number != 0 ? 2 : 1;
}

/* Returns the kind of the next event, which is 0 if there is none in time, and its response. */
static int next_event(lua_State *L) {
  void **group = luaL_checkudata(L, 1, GROUP);
  tessera_event event = {.size = sizeof event};
  tessera_status status = tessera_call_group_next_event(*group, luaL_checkinteger(L, 2), &event);
  (void)status;
  lua_pushinteger(L, event.kind);
  return 1 + push(L, event.response);
}

/* Cancels the call of a group. The error is its next event. */
static int cancel(lua_State *L) {
  void **group = luaL_checkudata(L, 1, GROUP);
  tessera_call_group_cancel(*group, 0);
  return 0;
}

static void new_type(lua_State *L, const char *type, lua_CFunction collect) {
  luaL_newmetatable(L, type);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

int luaopen_tessera_native(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", create},         {"close", close_application}, {"call", make_call},  {"start", start_call},
      {"next_event", next_event}, {"cancel", cancel},           {"free", free_group}, {NULL, NULL}};
  if (tessera_abi_version() != TESSERA_ABI_VERSION) return luaL_error(L, "another version of libtessera is installed");
  new_type(L, APPLICATION, close_application);
  new_type(L, GROUP, free_group);
  luaL_newlib(L, functions);
  return 1;
}
