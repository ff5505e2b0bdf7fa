-- SPDX-License-Identifier: MIT
{-# LANGUAGE OverloadedStrings #-}

-- install (Debian): apt-get install ghc libghc-aeson-dev
-- compile: ghc -O -threaded Example.hs -o example -ltessera
-- usage: example CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
module Main (main) where

import Control.Exception (handle)
import Control.Monad (forM_)
import Data.Aeson (Value, eitherDecodeStrict, object, (.=))
import Data.Aeson.Key (Key)
import Data.Maybe (fromMaybe)
import qualified Data.Text as Text
import Data.Text.Encoding (encodeUtf8)
import System.Environment (getArgs)
import System.Exit (exitFailure)
import System.IO (BufferMode (..), hPutStrLn, hSetBuffering, stderr, stdout)
import Tessera

text :: Key -> Value -> String
text name = fromMaybe "" . member name

username :: Value -> String
username = maybe "" (text "username") . member "account"

run :: Application -> String -> [String] -> IO ()
run application "sign_in" scopes = do
  token <- deviceCode application (object ["scopes" .= scopes]) prompt (pure False)
  putStrLn (username token ++ ": signed in")
 where
  prompt document = do
    putStrLn ("Open this page:  " ++ text "verification_uri" document)
    putStrLn ("Enter this code: " ++ text "user_code" document)
run application "token" scopes = do
  token <- silent application (object ["scopes" .= scopes])
  putStrLn (username token ++ ": token from the " ++ text "source" token)
run application "accounts" _ = accounts application >>= mapM_ (putStrLn . text "username")
run application "sign_out" _ = do
  found <- accounts application
  forM_ found $ \account -> do
    _ <- signOut application (object ["home_account_id" .= text "home_account_id" account])
    putStrLn (text "username" account ++ ": signed out")
run _ command _ = fail ("unknown command " ++ command)

main :: IO ()
main = handle failed $ do
  hSetBuffering stdout LineBuffering
  configuration : command : scopes <- getArgs
  application <- either fail open (eitherDecodeStrict (encodeUtf8 (Text.pack configuration)))
  run application command scopes
 where
  failed (Error error') = do
    hPutStrLn stderr (text "remedy" error' ++ " (" ++ text "code" error' ++ "): " ++ text "message" error')
    exitFailure
