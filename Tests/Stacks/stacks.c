/* SPDX-License-Identifier: MIT */
/*
 * Makes one call on a stack of a given size. Prints the used bytes of the stack, the status and the response. The
 * application is created on the stack of the main thread, except by the call "create".
 *
 * usage: stacks thread|coroutine|main BYTES CALL CONFIGURATION REQUEST [DATA]
 *
 * The caller limits the stack of the main thread (RLIMIT_STACK). A device code prompt and a sign-in prompt are
 * printed as a line that starts with "prompt". DATA is the file for "migrate".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <tessera.h>

static const char *configuration, *request, *call_name;
static tessera_application *application, *other;
static tessera_status status;
static char *response;
static char *data;
static size_t data_size;

static void show(void *context, const char *prompt) {
  (void)context;
  if (write(1, "prompt ", 7) < 0 || write(1, prompt, strlen(prompt)) < 0 || write(1, "\n", 1) < 0) abort();
}

static void create(void) {
  status = tessera_application_create(configuration, NULL, &other, &response);
}
static void silent(void) { status = tessera_application_acquire_token_silent(application, request, NULL, &response); }
static void device_code(void) {
  status = tessera_application_acquire_token_by_device_code(application, request, show, NULL, NULL, &response);
}
static void interactive(void) {
  status = tessera_application_acquire_token_interactive(application, request, show, NULL, NULL, &response);
}
static void sign_in_begin(void) { status = tessera_application_begin_sign_in(application, request, NULL, &response); }
static void sign_in_complete(void) { status = tessera_application_complete_sign_in(application, request, NULL, &response); }
static void hand_over_url(void) { status = tessera_library_hand_over_url(request, NULL, &response); }
static void explain(void) { status = tessera_application_explain(application, request, &response); }
static void get_accounts(void) { status = tessera_application_get_accounts(application, NULL, &response); }
static void get_account(void) { status = tessera_application_get_account(application, request, &response); }
static void get_current_account(void) { status = tessera_application_get_current_account(application, NULL, &response); }
static void remove_account(void) { status = tessera_application_remove_account(application, request, &response); }
static void sign_out(void) { status = tessera_application_sign_out(application, request, NULL, &response); }
static void store_info(void) { status = tessera_application_get_store_info(application, NULL, &response); }
static void rotate_key(void) { status = tessera_application_rotate_store_key(application, NULL, &response); }
static void cache_read(void) { status = tessera_application_read_cache(application, NULL, &response); }
static void cache_write(void) { status = tessera_application_write_cache(application, request, &response); }
static void copy(void) { status = tessera_application_copy_sign_ins(other, application, NULL, &response); }
static void migrate(void) { status = tessera_application_migrate(application, NULL, data, data_size, &response); }
static void export_sign_ins(void) {
  status = tessera_application_export_sign_ins(application, request, NULL, 0, &response);
}
static void known_caches(void) { status = tessera_library_known_caches(NULL, &response); }
static void describe_token(void) { status = tessera_token_describe(request, &response); }
static void broker_version(void) { status = tessera_application_get_broker_version(application, NULL, NULL, &response); }
static void broker_accounts(void) { status = tessera_application_get_broker_accounts(application, NULL, NULL, &response); }
static void broker_sso_cookie(void) {
  status = tessera_application_get_broker_sso_cookie(application, request, NULL, &response);
}
static void broker_signed_http_request(void) {
  status = tessera_application_get_broker_signed_http_request(application, request, NULL, &response);
}
static void sso_extension_request(void) { status = tessera_sso_extension_request(request, &response); }
static void sso_extension_response(void) { status = tessera_sso_extension_response(request, &response); }
static void sso_extension_store(void) {
  status = tessera_application_store_sso_extension_response(application, request, NULL, &response);
}
static void calls_silent(void) {
  tessera_call_group *calls = NULL;
  int64_t begun = 0, ended = 0;
  int32_t kind = 0;
  status = tessera_call_group_create(&calls, &response);
  if (status != TESSERA_STATUS_OK) return;
  status = tessera_call_group_acquire_token_silent(calls, application, request, &begun, &response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    status = tessera_call_group_next_event(calls, -1, &ended, &kind, &response);
  }
  tessera_call_group_free(calls);
}

#define CALL(name) {#name, name}
static const struct {
  const char *name;
  void (*function)(void);
} calls[] = {
    CALL(create), CALL(silent), CALL(device_code), CALL(interactive), CALL(sign_in_begin), CALL(sign_in_complete),
    CALL(hand_over_url), CALL(explain), CALL(get_accounts), CALL(get_account), CALL(get_current_account),
    CALL(remove_account), CALL(sign_out), CALL(store_info), CALL(rotate_key), CALL(cache_read), CALL(cache_write),
    CALL(copy), CALL(migrate), CALL(export_sign_ins), CALL(known_caches), CALL(describe_token), CALL(broker_version),
    CALL(broker_accounts), CALL(broker_sso_cookie), CALL(broker_signed_http_request), CALL(sso_extension_request),
    CALL(sso_extension_response), CALL(sso_extension_store), CALL(calls_silent),
};

static void (*call)(void);

static void *on_thread(void *unused) {
  (void)unused;
  call();
  return NULL;
}

static void must(int holds, const char *what) {
  if (holds) return;
  perror(what);
  exit(3);
}

/** Returns the number of bytes of a stack that were written, from its top. Fresh memory is zero. */
static size_t used(const char *stack, size_t size) {
  size_t unused = 0;
  while (unused < size && stack[unused] == 0) unused++;
  return size - unused;
}

static void read_data(const char *path) {
  FILE *file = fopen(path, "rb");
  must(file != NULL, path);
  data = malloc(1 << 20);
  must(data != NULL, "malloc");
  data_size = fread(data, 1, 1 << 20, file);
  fclose(file);
}

int main(int count, char **words) {
  if (count != 6 && count != 7) return 2;
  const size_t size = strtoul(words[2], NULL, 10), page = (size_t)sysconf(_SC_PAGESIZE);
  call_name = words[3];
  configuration = words[4];
  request = words[5];
  if (count == 7 && strcmp(call_name, "migrate") == 0) read_data(words[6]);
  for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
    if (strcmp(calls[i].name, call_name) == 0) call = calls[i].function;
  }
  if (call == NULL) return 2;
  if (call != create) {
    must(tessera_application_create(configuration, NULL, &application, &response) == TESSERA_STATUS_OK, "create");
    tessera_string_free(response);
  }
  if (call == copy) {
    must(tessera_application_create(words[6], NULL, &other, &response) == TESSERA_STATUS_OK, "create");
    tessera_string_free(response);
  }
  response = NULL;
  /* A guard page below the stack, as threads have one. */
  char *memory = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(memory != MAP_FAILED && mprotect(memory, page, PROT_NONE) == 0, "mmap");
  char *stack = memory + page;
  if (strcmp(words[1], "main") == 0) {
    call();
  } else if (strcmp(words[1], "thread") == 0) {
    pthread_attr_t attributes;
    pthread_t thread;
    must(pthread_attr_init(&attributes) == 0, "pthread_attr_init");
    must(pthread_attr_setstack(&attributes, stack, size) == 0, "pthread_attr_setstack");
    must(pthread_create(&thread, &attributes, on_thread, NULL) == 0, "pthread_create");
    must(pthread_join(thread, NULL) == 0, "pthread_join");
  } else {
    static ucontext_t caller, coroutine;
    must(getcontext(&coroutine) == 0, "getcontext");
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = &caller;
    makecontext(&coroutine, call, 0);
    must(swapcontext(&caller, &coroutine) == 0, "swapcontext");
  }
  printf("%zu %d %s\n", used(stack, size), (int)status, response != NULL ? response : "");
  tessera_string_free(response);
  tessera_application_free(application);
  tessera_application_free(other);
  return 0;
}
