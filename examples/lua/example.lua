-- SPDX-License-Identifier: MIT
-- install (Debian): apt-get install luajit lua-cjson, or lua5.4 liblua5.4-dev lua-cjson gcc pkg-config
-- compile (Lua 5.4 only): cc -O2 -shared -fPIC tessera_native.c -o tessera_native.so \
--   $(pkg-config --cflags --libs lua5.4 tessera)
-- usage: luajit example.lua CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
local json = require "cjson"
local tessera = require "tessera"

local commands = {}

function commands.sign_in(application, scopes)
  local token = application:device_code({scopes = scopes}, function(prompt)
    print("Open this page:  " .. prompt.verification_uri)
    print("Enter this code: " .. prompt.user_code)
    io.stdout:flush()
  end)
  print(token.account.username .. ": signed in")
end

function commands.token(application, scopes)
  local token = application:silent {scopes = scopes}
  print(token.account.username .. ": token from the " .. token.source)
end

function commands.accounts(application)
  for _, account in ipairs(application:accounts()) do print(account.username) end
end

function commands.sign_out(application)
  for _, account in ipairs(application:accounts()) do
    application:sign_out {home_account_id = account.home_account_id}
    print(account.username .. ": signed out")
  end
end

local succeeded, problem = pcall(function()
  local application = tessera.Application.new(json.decode(arg[1]))
  commands[arg[2]](application, {(unpack or table.unpack)(arg, 3)})
  application:close()
end)
if not succeeded then
  io.stderr:write(tostring(problem), "\n")
  os.exit(1)
end
