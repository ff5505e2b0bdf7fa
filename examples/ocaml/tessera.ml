(* SPDX-License-Identifier: MIT *)
(* Applications of Tessera with values of Yojson as requests and results. *)
open Ctypes

exception Error of Yojson.Safe.t
(** An error with the members of "Error" in docs/c-interface.md. *)

let library =
  Dl.dlopen ~flags:[ Dl.RTLD_NOW ]
    ~filename:(Option.value (Sys.getenv_opt "TESSERA_LIBRARY") ~default:"libtessera.so.1")

(* Other threads run during a call. *)
let foreign name = Foreign.foreign ~from:library ~release_runtime_lock:true ("tessera_" ^ name)
let out = ptr (ptr void)
let abi_version = foreign "abi_version" (void @-> returning int32_t)
let string_free = foreign "string_free" (ptr void @-> returning void)
let application_create = foreign "application_create" (string @-> ptr void @-> out @-> out @-> returning int32_t)
let application_free = foreign "application_free" (ptr void @-> returning void)
let call name = foreign ("application_" ^ name) (ptr void @-> string_opt @-> ptr void @-> out @-> returning int32_t)
let group_create = foreign "call_group_create" (out @-> out @-> returning int32_t)
let group_free = foreign "call_group_free" (ptr void @-> returning void)
let group_cancel = foreign "call_group_cancel" (ptr void @-> int64_t @-> returning void)

let start name =
  foreign ("call_group_" ^ name)
    (ptr void @-> ptr void @-> string @-> ptr void @-> ptr int64_t @-> out @-> returning int32_t)

type event_structure

let event_type : event_structure structure typ = structure "tessera_event"
let event_size = field event_type "size" size_t
let _ = field event_type "call" int64_t
let event_kind = field event_type "kind" int32_t
let _ = field event_type "status" int32_t
let _ = field event_type "user_data" (ptr void)
let event_response = field event_type "response" (ptr void)
let () = seal event_type
let next_event = foreign "call_group_next_event" (ptr void @-> int64_t @-> ptr event_type @-> returning int32_t)
let () = if abi_version () <> 1l then failwith "another version of libtessera is installed"

(* Decodes a response and frees it. *)
let taken response =
  if is_null response then raise Out_of_memory;
  let text = coerce (ptr void) string response in
  string_free response;
  Yojson.Safe.from_string text

let result document =
  match Yojson.Safe.Util.member "error" document with `Null -> document | error -> raise (Error error)

type t = { mutable handle : unit ptr }

let close application =
  application_free application.handle;
  application.handle <- null

let create configuration =
  let handle = allocate (ptr void) null and response = allocate (ptr void) null in
  ignore (application_create (Yojson.Safe.to_string configuration) null handle response);
  ignore (result (taken !@response));
  let application = { handle = !@handle } in
  Gc.finalise close application;
  application

let blocking name =
  let call = call name in
  fun application request ->
    let response = allocate (ptr void) null in
    ignore (call application.handle (Option.map (fun request -> Yojson.Safe.to_string request) request) null response);
    (* The collector does not free the application during the call. *)
    result (taken (ignore (Sys.opaque_identity application); !@response))

let silent = let call = blocking "acquire_token_silent" in fun application request -> call application (Some request)
let sign_out = let call = blocking "sign_out" in fun application request -> call application (Some request)

let accounts =
  let call = blocking "get_accounts" in
  fun application -> Yojson.Safe.Util.(call application None |> member "accounts" |> to_list)

(** Performs a call on a thread of the library. [prompt] receives a device code. [is_cancelled], called every 100 ms,
    returns whether to cancel the call. An exception in them, or [Sys.Break], cancels it too. *)
let wait start application request ~prompt ~is_cancelled =
  let group = allocate (ptr void) null and response = allocate (ptr void) null and call = allocate int64_t 0L in
  ignore (group_create group response);
  ignore (result (taken !@response));
  let rec next () =
    let event = make event_type in
    setf event event_size (Unsigned.Size_t.of_int (sizeof event_type));
    ignore (next_event !@group 100L (addr event));
    let document = taken (getf event event_response) in
    match getf event event_kind with
    | 1l -> document
    | kind ->
        if kind = 2l then prompt document;
        if is_cancelled () then group_cancel !@group 0L;
        next ()
  in
  Fun.protect
    ~finally:(fun () -> group_free !@group)
    (fun () ->
      ignore (start !@group application.handle (Yojson.Safe.to_string request) null call response);
      let document = taken (ignore (Sys.opaque_identity application); !@response) in
      result (if !@call = 0L then document else next ()))

let never () = false
let start_silent = start "acquire_token_silent"
let start_device_code = start "acquire_token_by_device_code"
let device_code ?(is_cancelled = never) = wait start_device_code ~is_cancelled
