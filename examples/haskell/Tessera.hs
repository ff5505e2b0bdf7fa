-- SPDX-License-Identifier: MIT
{-# LANGUAGE OverloadedStrings #-}

-- | Applications of Tessera with values of aeson as requests and results.
module Tessera
  ( Application, Error (..), member, open, accounts, silent, signOut, deviceCode, waitForSilent
  ) where

import Control.Exception (Exception, bracket, throwIO)
import Control.Monad (when)
import Data.Aeson (FromJSON, Value, decodeStrict, encode, withObject, (.:))
import Data.Aeson.Key (Key)
import Data.Aeson.Types (parseMaybe)
import qualified Data.ByteString as Bytes
import qualified Data.ByteString.Lazy as Lazy
import Foreign hiding (newForeignPtr)
import Foreign.C.String (CString)
import Foreign.Concurrent (newForeignPtr)

data Handle
data Group

type Out a = Ptr (Ptr a)
type Call = Ptr Handle -> CString -> Ptr () -> Ptr CString -> IO Int32
type Start = Ptr Group -> Ptr Handle -> CString -> Ptr () -> Ptr Int64 -> Ptr CString -> IO Int32

-- Other threads of Haskell run during a safe call.
foreign import ccall unsafe "tessera_abi_version" abiVersion :: IO Int32
foreign import ccall unsafe "tessera_string_free" stringFree :: CString -> IO ()
foreign import ccall safe "tessera_application_create"
  create :: CString -> Ptr () -> Out Handle -> Ptr CString -> IO Int32
foreign import ccall safe "tessera_application_free" applicationFree :: Ptr Handle -> IO ()
foreign import ccall safe "tessera_application_acquire_token_silent" callSilent :: Call
foreign import ccall safe "tessera_application_get_accounts" callAccounts :: Call
foreign import ccall safe "tessera_application_sign_out" callSignOut :: Call
foreign import ccall safe "tessera_call_group_create" groupCreate :: Out Group -> Ptr CString -> IO Int32
foreign import ccall safe "tessera_call_group_free" groupFree :: Ptr Group -> IO ()
foreign import ccall safe "tessera_call_group_cancel" groupCancel :: Ptr Group -> Int64 -> IO ()
foreign import ccall safe "tessera_call_group_next_event" nextEvent :: Ptr Group -> Int64 -> Ptr () -> IO Int32
foreign import ccall safe "tessera_call_group_acquire_token_silent" startSilent :: Start
foreign import ccall safe "tessera_call_group_acquire_token_by_device_code" startDeviceCode :: Start

-- | An application; the garbage collector frees it.
newtype Application = Application (ForeignPtr Handle)

-- | An error with the members of "Error" in docs/c-interface.md.
newtype Error = Error Value deriving Show

instance Exception Error

-- | Returns a member of an object.
member :: FromJSON a => Key -> Value -> Maybe a
member name = parseMaybe (withObject "object" (.: name))

-- | Decodes a response and frees it. Throws the error that it contains.
taken :: CString -> IO Value
taken response = do
  when (response == nullPtr) $ ioError (userError "out of memory")
  text <- Bytes.packCString response
  stringFree response
  document <- maybe (ioError (userError "a response is no JSON")) pure (decodeStrict text)
  maybe (pure document) (throwIO . Error) (member "error" document)

withText :: Value -> (CString -> IO a) -> IO a
withText = Bytes.useAsCString . Lazy.toStrict . encode

open :: Value -> IO Application
open configuration = do
  version <- abiVersion
  when (version /= 1) $ ioError (userError "another version of libtessera is installed")
  withText configuration $ \text -> alloca $ \handle -> alloca $ \response -> do
    _ <- create text nullPtr handle response
    _ <- taken =<< peek response
    created <- peek handle
    Application <$> newForeignPtr created (applicationFree created)

blocking :: Call -> Application -> CString -> IO Value
blocking call (Application application) request = withForeignPtr application $ \handle -> alloca $ \response ->
  call handle request nullPtr response >> peek response >>= taken

silent, signOut :: Application -> Value -> IO Value
silent application request = withText request (blocking callSilent application)
signOut application request = withText request (blocking callSignOut application)

accounts :: Application -> IO [Value]
accounts application = maybe [] id . member "accounts" <$> blocking callAccounts application nullPtr

-- | Performs a call on a thread of the library. The first action receives a device code. The second one, called every
-- 100 ms, returns whether to cancel the call. An exception in them, or Ctrl-C, cancels it too.
wait :: Start -> Application -> Value -> (Value -> IO ()) -> IO Bool -> IO Value
wait start (Application application) request prompt isCancelled =
  withForeignPtr application $ \handle -> bracket newGroup groupFree $ \group -> do
    (call, document) <- withText request $ \text -> alloca $ \call -> alloca $ \response -> do
      poke call 0
      _ <- start group handle text nullPtr call response
      (,) <$> peek call <*> (taken =<< peek response)
    if call == 0 then pure document else next group
 where
  newGroup = alloca $ \group -> alloca $ \response ->
    groupCreate group response >> peek response >>= taken >> peek group
  next group = do
    (kind, document) <- allocaBytes eventSize $ \event -> do
      fillBytes event 0 eventSize
      pokeByteOff event 0 (fromIntegral eventSize :: Word64)
      _ <- nextEvent group 100 event
      (,) <$> (peekByteOff event 16 :: IO Int32) <*> (taken =<< peekByteOff event 32)
    case kind of
      1 -> pure document
      _ -> do
        when (kind == 2) $ prompt document
        cancelled <- isCancelled
        when cancelled $ groupCancel group 0
        next group
  -- size, call, kind and status, user_data, response
  eventSize = 40

deviceCode :: Application -> Value -> (Value -> IO ()) -> IO Bool -> IO Value
deviceCode = wait startDeviceCode

waitForSilent :: Application -> Value -> IO Value
waitForSilent application request = wait startSilent application request (const (pure ())) (pure False)
