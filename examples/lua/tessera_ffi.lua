-- SPDX-License-Identifier: MIT
-- The functions of Tessera for LuaJIT. tessera_native.c has the same ones for Lua 5.4.
local ffi = require "ffi"

ffi.cdef [[
typedef struct tessera_application tessera_application;
typedef struct tessera_call_group tessera_call_group;
typedef struct {
  size_t size; int64_t call; int32_t kind; int32_t status; void *user_data; char *response;
} tessera_event;
int32_t tessera_abi_version(void);
void tessera_string_free(char *);
int32_t tessera_application_create(const char *, const void *, tessera_application **, char **);
void tessera_application_free(tessera_application *);
int32_t tessera_application_acquire_token_silent(tessera_application *, const char *, void *, char **);
int32_t tessera_application_get_accounts(tessera_application *, const char *, void *, char **);
int32_t tessera_application_sign_out(tessera_application *, const char *, void *, char **);
int32_t tessera_call_group_create(tessera_call_group **, char **);
void tessera_call_group_free(tessera_call_group *);
int32_t tessera_call_group_acquire_token_silent(
  tessera_call_group *, tessera_application *, const char *, void *, int64_t *, char **);
int32_t tessera_call_group_acquire_token_by_device_code(
  tessera_call_group *, tessera_application *, const char *, void *, int64_t *, char **);
int32_t tessera_call_group_next_event(tessera_call_group *, int64_t, tessera_event *);
void tessera_call_group_cancel(tessera_call_group *, int64_t);
]]

local library = ffi.load(os.getenv "TESSERA_LIBRARY" or "libtessera.so.1")
assert(library.tessera_abi_version() == 1, "another version of libtessera is installed")

-- Copies a string of the library and frees it.
local function taken(pointer)
  assert(pointer ~= nil, "out of memory")
  local text = ffi.string(pointer)
  library.tessera_string_free(pointer)
  return text
end

local native, response = {}, ffi.new "char *[1]"

-- Returns the response, and the application or nil. The garbage collector frees the application.
function native.create(configuration)
  local created = ffi.new "tessera_application *[1]"
  library.tessera_application_create(configuration, nil, created, response)
  return taken(response[0]), created[0] ~= nil and ffi.gc(created[0], library.tessera_application_free) or nil
end

function native.close(application) library.tessera_application_free(ffi.gc(application, nil)) end

-- Makes a blocking call and returns the response.
function native.call(name, application, request)
  library["tessera_application_" .. name](application, request, nil, response)
  return taken(response[0])
end

-- Starts a call. Returns the response, and the group of the call if the response follows as an event.
function native.start(name, application, request)
  local created, call = ffi.new "tessera_call_group *[1]", ffi.new "int64_t[1]"
  if library.tessera_call_group_create(created, response) ~= 0 then return taken(response[0]) end
  library.tessera_string_free(response[0])
  local group = ffi.gc(created[0], library.tessera_call_group_free)
  library["tessera_call_group_" .. name](group, application, request, nil, call, response)
  return taken(response[0]), call[0] ~= 0 and group or nil
end

-- Returns the kind of the next event, which is 0 if there is none in time, and its response.
function native.next_event(group, milliseconds)
  local event = ffi.new("tessera_event", ffi.sizeof "tessera_event")
  library.tessera_call_group_next_event(group, milliseconds, event)
  return event.kind, taken(event.response)
end

-- Cancels the call of a group. The error is its next event.
function native.cancel(group) library.tessera_call_group_cancel(group, 0) end

function native.free(group) library.tessera_call_group_free(ffi.gc(group, nil)) end

return native
