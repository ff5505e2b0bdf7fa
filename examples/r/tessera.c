/* SPDX-License-Identifier: MIT */
/* The functions of Tessera for .Call() of R. */
#include <Rinternals.h>
#include <string.h>
#include <tessera.h>

/* Returns a string of the library, and frees it. */
static SEXP taken(char *response) {
  if (response == NULL) Rf_error("out of memory");
  SEXP text = PROTECT(Rf_allocVector(STRSXP, 1));
  SET_STRING_ELT(text, 0, Rf_mkCharCE(response, CE_UTF8));
  tessera_string_free(response);
  UNPROTECT(1);
  return text;
}

static SEXP pair(SEXP first, SEXP second) {
  PROTECT(first), PROTECT(second);
  SEXP list = Rf_allocVector(VECSXP, 2);
  SET_VECTOR_ELT(list, 0, first);
  SET_VECTOR_ELT(list, 1, second);
  UNPROTECT(2);
  return list;
}

static const char *text_of(SEXP value) { return Rf_isNull(value) ? NULL : Rf_translateCharUTF8(STRING_ELT(value, 0)); }

static void free_application(SEXP pointer) {
  tessera_application_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static void free_group(SEXP pointer) {
  tessera_call_group_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

/* Returns the response and the application, which the garbage collector frees. */
SEXP r_create(SEXP configuration) {
  tessera_application *application;
  char *response;
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, free_application, TRUE);
  tessera_status status = tessera_application_create(text_of(configuration), NULL, &application, &response);
  (void)status; /* The response contains the error. */
  R_SetExternalPtrAddr(pointer, application);
  SEXP result = pair(taken(response), pointer);
  UNPROTECT(1);
  return result;
}

/* Makes a blocking call and returns the response. */
SEXP r_call(SEXP name, SEXP pointer, SEXP request) {
  tessera_application *application = R_ExternalPtrAddr(pointer);
  const char *function = text_of(name), *text = text_of(request);
  char *response = NULL;
  tessera_status status = TESSERA_STATUS_OK;
  if (strcmp(function, "silent") == 0)
    status = tessera_application_acquire_token_silent(application, text, NULL, &response);
  else if (strcmp(function, "accounts") == 0)
    status = tessera_application_get_accounts(application, text, NULL, &response);
  else if (strcmp(function, "sign_out") == 0)
    status = tessera_application_sign_out(application, text, NULL, &response);
  (void)status;
  return taken(response);
}

/* Starts a call. Returns the response, and the group of the call if the response follows as an event. */
SEXP r_start(SEXP name, SEXP pointer, SEXP request) {
  tessera_application *application = R_ExternalPtrAddr(pointer);
  tessera_call_group *calls;
  const char *text = text_of(request);
  int64_t call = 0;
  char *response;
  SEXP group = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(group, free_group, TRUE);
  tessera_status status = tessera_call_group_create(&calls, &response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    R_SetExternalPtrAddr(group, calls);
    status = strcmp(text_of(name), "silent") == 0
                 ? tessera_call_group_acquire_token_silent(calls, application, text, NULL, &call, &response)
                 : tessera_call_group_acquire_token_by_device_code(calls, application, text, NULL, &call, &response);
  }
  SEXP result = pair(taken(response), call == 0 ? R_NilValue : group);
  UNPROTECT(1);
  return result;
}

/* Returns the kind of the next event, which is 0 if there is none in time, and its response. */
SEXP r_next_event(SEXP group, SEXP milliseconds) {
  tessera_event event = {.size = sizeof event};
  tessera_status status =
      tessera_call_group_next_event(R_ExternalPtrAddr(group), Rf_asInteger(milliseconds), &event);
  (void)status;
  SEXP response = PROTECT(taken(event.response));
  SEXP result = pair(Rf_ScalarInteger(event.kind), response);
  UNPROTECT(1);
  return result;
}

/* Cancels the call of a group. The error is its next event. */
SEXP r_cancel(SEXP group) {
  tessera_call_group_cancel(R_ExternalPtrAddr(group), 0);
  return R_NilValue;
}

SEXP r_free(SEXP group) {
  free_group(group);
  return R_NilValue;
}
