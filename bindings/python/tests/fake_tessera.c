/* SPDX-License-Identifier: MIT */
/*
 * A library with the interface of include/tessera.h and configured responses, for the tests of the binding's
 * marshalling. It counts its objects, so that a test can check that all were freed.
 */
#include "tessera.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef FAKE_ABI
#define FAKE_ABI TESSERA_ABI_VERSION
#endif

struct tessera_application {
  tessera_host host;
};

struct tessera_cancellation {
  atomic_bool cancelled;
};

enum function { CREATE, GET_ACCOUNTS, GET_ACCOUNT, REMOVE_ACCOUNT, SILENT, DEVICE_CODE, STORE_INFO,
                ROTATE_KEY, EXPLAIN, SIGN_OUT, DESCRIBE, CURRENT, INTERACTIVE, METRICS,
                FUNCTIONS };

struct script {
  tessera_status status;
  char *response; /* NULL: out of memory */
  char *request;  /* the last one */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct script scripts[FUNCTIONS];
static char *prompt_text;
static char *log_text;
static unsigned char last_key[32];
static atomic_bool waiting;
static atomic_int strings, applications, cancellations, callers;

static char *copy(const char *text) {
  return text == NULL ? NULL : strdup(text);
}

static void replace(char **place, const char *text) {
  free(*place);
  *place = copy(text);
}

static tessera_status answer(enum function function, const char *request, char **response) {
  pthread_mutex_lock(&lock);
  struct script *script = &scripts[function];
  replace(&script->request, request);
  *response = copy(script->response);
  tessera_status status = script->status;
  pthread_mutex_unlock(&lock);
  if (*response != NULL) {
    strings++;
  }
  return status;
}

static void write_log(tessera_application *application) {
  pthread_mutex_lock(&lock);
  char *text = copy(log_text);
  pthread_mutex_unlock(&lock);
  if (application != NULL && application->host.log != NULL && text != NULL) {
    application->host.log(application->host.user_data, 3, text);
  }
  free(text);
}

/* Waits if a test requires it. Returns whether the call was cancelled. */
static bool wait_for(tessera_cancellation *cancellation) {
  const struct timespec moment = {0, 1000000};
  callers++;
  while (waiting && (cancellation == NULL || !cancellation->cancelled)) {
    nanosleep(&moment, NULL);
  }
  callers--;
  return cancellation != NULL && cancellation->cancelled;
}

static tessera_status stopped(char **response) {
  strings++;
  *response = strdup("{\"error\":{\"remedy\":\"cancelled\",\"code\":\"cancelled\",\"message\":\"Stop.\"}}");
  return TESSERA_STATUS_CANCELLED;
}

void fake_reset(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < FUNCTIONS; i++) {
    scripts[i].status = TESSERA_STATUS_OK;
    replace(&scripts[i].response, "{}");
    replace(&scripts[i].request, NULL);
  }
  replace(&prompt_text, NULL);
  replace(&log_text, NULL);
  memset(last_key, 0, sizeof last_key);
  waiting = false;
  pthread_mutex_unlock(&lock);
}

void fake_answer(int32_t function, tessera_status status, const char *response) {
  pthread_mutex_lock(&lock);
  scripts[function].status = status;
  replace(&scripts[function].response, response);
  pthread_mutex_unlock(&lock);
}

const char *fake_request(int32_t function) { return scripts[function].request; }

const unsigned char *fake_key(void) { return last_key; }

void fake_prompt(const char *prompt) { replace(&prompt_text, prompt); }

void fake_log(const char *line) { replace(&log_text, line); }

void fake_wait(int32_t on) { waiting = on != 0; }

int32_t fake_callers(void) { return callers; }

int32_t fake_alive(void) { return strings * 10000 + applications * 100 + cancellations; }

const char *tessera_version(void) { return TESSERA_VERSION; }

int32_t tessera_version_number(void) { return TESSERA_VERSION_NUMBER; }

int32_t tessera_abi_version(void) { return FAKE_ABI; }

tessera_status tessera_application_create(const char *configuration, const tessera_host *host,
                                          tessera_application **application, char **response) {
  tessera_status status = answer(CREATE, configuration, response);
  *application = NULL;
  if (status == TESSERA_STATUS_OK) {
    *application = calloc(1, sizeof(**application));
    applications++;
    if (host != NULL && host->size == sizeof(*host)) {
      (*application)->host = *host;
    }
    write_log(*application);
  }
  return status;
}

void tessera_application_free(tessera_application *application) {
  if (application != NULL) {
    applications--;
    free(application);
  }
}

/* Reports a change of a metric, unlike the real library, so that a test has an observer. */
tessera_status tessera_application_metrics(tessera_application *application, char **response) {
  const tessera_host *host = application != NULL ? &application->host : NULL;
  if (host != NULL && host->observe != NULL) {
    host->observe(host->user_data, "call_duration", 5000000000, "{\"function\":\"sign_out\"}");
  }
  return answer(METRICS, NULL, response);
}

tessera_status tessera_application_get_accounts(tessera_application *application, const char *request,
                                                tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  write_log(application);
  return answer(GET_ACCOUNTS, request, response);
}

tessera_status tessera_application_get_account(tessera_application *application, const char *request,
                                               tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  write_log(application);
  return answer(GET_ACCOUNT, request, response);
}

tessera_status tessera_application_get_current_account(tessera_application *application, const char *request,
                                                       tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  write_log(application);
  return answer(CURRENT, request, response);
}

tessera_status tessera_application_remove_account(tessera_application *application, const char *request,
                                                  tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  write_log(application);
  return answer(REMOVE_ACCOUNT, request, response);
}

tessera_status tessera_application_sign_out(tessera_application *application, const char *request,
                                tessera_cancellation *cancellation, char **response) {
  write_log(application);
  if (wait_for(cancellation)) {
    return stopped(response);
  }
  return answer(SIGN_OUT, request, response);
}

tessera_status tessera_application_get_store_info(tessera_application *application, const char *request,
                                                  tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  unsigned char key[32];
  const tessera_host *host = application != NULL ? &application->host : NULL;
  memset(key, 0, sizeof key);
  if (host != NULL && host->store_key != NULL &&
      host->store_key(host->user_data, key, sizeof key) == 0) {
    memcpy(last_key, key, sizeof key);
  }
  return answer(STORE_INFO, request, response);
}

tessera_status tessera_application_rotate_store_key(tessera_application *application, const char *request,
                                                    tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  write_log(application);
  return answer(ROTATE_KEY, request, response);
}

tessera_status tessera_application_explain(tessera_application *application, const char *request,
                                           tessera_cancellation *cancellation, char **response) {
  (void)cancellation;
  write_log(application);
  return answer(EXPLAIN, request, response);
}

tessera_status tessera_application_acquire_token_silent(tessera_application *application, const char *request,
                                            tessera_cancellation *cancellation, char **response) {
  /* With a timeout of 0, only a token of the store is returned: none while the library waits. */
  if (waiting && request != NULL && strstr(request, "\"timeout_milliseconds\":0") != NULL) {
    return stopped(response);
  }
  write_log(application);
  if (wait_for(cancellation)) {
    return stopped(response);
  }
  return answer(SILENT, request, response);
}

tessera_status tessera_application_acquire_token_by_device_code(tessera_application *application,
                                                    const char *request,
                                                    tessera_device_code_callback prompt,
                                                    void *context,
                                                    tessera_cancellation *cancellation,
                                                    char **response) {
  write_log(application);
  if (prompt_text != NULL) {
    prompt(context, prompt_text);
  }
  if (wait_for(cancellation)) {
    return stopped(response);
  }
  return answer(DEVICE_CODE, request, response);
}

tessera_status tessera_application_acquire_token_interactive(tessera_application *application,
                                                 const char *request,
                                                 tessera_sign_in_callback prompt,
                                                 void *context,
                                                 tessera_cancellation *cancellation,
                                                 char **response) {
  write_log(application);
  if (prompt_text != NULL && prompt != NULL) {
    prompt(context, prompt_text);
  }
  if (wait_for(cancellation)) {
    return stopped(response);
  }
  return answer(INTERACTIVE, request, response);
}

tessera_status tessera_token_describe(const char *token, char **response) {
  return answer(DESCRIBE, token, response);
}

tessera_cancellation *tessera_cancellation_create(void) {
  cancellations++;
  return calloc(1, sizeof(tessera_cancellation));
}

void tessera_cancellation_cancel(tessera_cancellation *cancellation) {
  if (cancellation != NULL) {
    cancellation->cancelled = true;
  }
}

void tessera_cancellation_free(tessera_cancellation *cancellation) {
  if (cancellation != NULL) {
    cancellations--;
    free(cancellation);
  }
}

void tessera_string_free(char *string) {
  if (string != NULL) {
    strings--;
    free(string);
  }
}
