-- SPDX-License-Identifier: MIT
-- Applications of Tessera with tables as requests and results.
local json = require "cjson"
local native = jit and require "tessera_ffi" or require "tessera_native"

local Error = {}
Error.__index = Error
Error.__tostring = function(error) return ("%s (%s): %s"):format(error.remedy, error.code, error.message) end

-- Returns a result. Raises its error, a table with the members of "Error" in docs/c-interface.md.
local function result(response)
  local document = json.decode(response)
  if document.error then error(setmetatable(document.error, Error)) end
  return document
end

local Application = {}
Application.__index = Application

function Application.new(configuration)
  local response, handle = native.create(json.encode(configuration))
  result(response)
  return setmetatable({handle = handle}, Application)
end

function Application:close()
  if self.handle then native.close(self.handle) end
  self.handle = nil
end

function Application:accounts() return result(native.call("get_accounts", self.handle)).accounts end

function Application:silent(request)
  return result(native.call("acquire_token_silent", self.handle, json.encode(request)))
end

function Application:sign_out(request) return result(native.call("sign_out", self.handle, json.encode(request))) end

-- Performs a call on a thread of the library. `prompt` receives a device code. `is_cancelled`, called every 100 ms,
-- returns whether to cancel the call. An error in them, and Ctrl-C, cancel it too.
function Application:wait(name, request, prompt, is_cancelled)
  local response, group = native.start(name, self.handle, json.encode(request))
  if not group then return result(response) end
  local succeeded, outcome = pcall(function()
    while true do
      local kind, text = native.next_event(group, 100)
      if kind == 1 then return text end
      if kind == 2 then prompt(json.decode(text)) end
      if is_cancelled and is_cancelled() then native.cancel(group) end
    end
  end)
  native.free(group)
  if not succeeded then error(outcome, 0) end
  return result(outcome)
end

function Application:device_code(request, prompt, is_cancelled)
  return self:wait("acquire_token_by_device_code", request, prompt, is_cancelled)
end

-- A trace of JIT-compiled code would not notice Ctrl-C.
if jit then jit.off(Application.wait, true) end

return {Application = Application, Error = Error}
