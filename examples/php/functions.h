#define FFI_SCOPE "tessera"
#define FFI_LIB "libtessera.so.1"
typedef struct tessera_application tessera_application;
typedef struct tessera_call_group tessera_call_group;
typedef struct {
  size_t size; int64_t call; int32_t kind; int32_t status; void *user_data; char *response;
} tessera_event;
int32_t tessera_abi_version(void);
void tessera_string_free(char *string);
int32_t tessera_application_create(
  const char *configuration, const void *host, tessera_application **application, char **response);
void tessera_application_free(tessera_application *application);
int32_t tessera_application_acquire_token_silent(
  tessera_application *application, const char *request, void *cancellation, char **response);
int32_t tessera_application_get_accounts(
  tessera_application *application, const char *request, void *cancellation, char **response);
int32_t tessera_application_sign_out(
  tessera_application *application, const char *request, void *cancellation, char **response);
int32_t tessera_call_group_create(tessera_call_group **calls, char **response);
void tessera_call_group_free(tessera_call_group *calls);
void tessera_call_group_cancel(tessera_call_group *calls, int64_t call);
int32_t tessera_call_group_acquire_token_silent(
  tessera_call_group *calls, tessera_application *application, const char *request, void *user_data,
  int64_t *call, char **response);
int32_t tessera_call_group_acquire_token_by_device_code(
  tessera_call_group *calls, tessera_application *application, const char *request, void *user_data,
  int64_t *call, char **response);
int32_t tessera_call_group_next_event(
  tessera_call_group *calls, int64_t timeout_milliseconds, tessera_event *event);
