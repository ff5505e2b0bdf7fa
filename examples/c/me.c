/* SPDX-License-Identifier: MIT */
/** @file me.c Print the user's name, without a JSON library. usage: me CONFIGURATION ADDRESS-OF-ME */
#define _POSIX_C_SOURCE 200809L
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera.h>

/** Get the profile of the user. Returns the response, or an empty string; free it with free(). */
static char *get_profile(const char *address, const char *token) {
  char *profile = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&profile, &size);
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, address);
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
  curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, token);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, stream);
  if (curl_easy_perform(curl) != CURLE_OK) fputs("The profile is not available.\n", stderr);
  curl_easy_cleanup(curl);
  fclose(stream);
  return profile;
}

int main(int argc, char **argv) {
  char *response, *profile = NULL;
  tessera_application *application;
  if (argc != 3) return TESSERA_STATUS_FIX_REQUEST;
  tessera_status status = tessera_application_create(argv[1], NULL, &application, &response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    status = tessera_application_get_access_token(application, "User.Read", NULL, -1, NULL, &response);
  }
  if (status == TESSERA_STATUS_OK) profile = get_profile(argv[2], response);
  char *text = tessera_document_get_string(profile ? profile : response, profile ? "/displayName" : "/error/message");
  printf("%s: %s\n", tessera_status_name(status), text ? text : "The profile has no name.");
  tessera_string_free(text), tessera_string_free(response), free(profile);
  tessera_application_free(application);
  return (int)status;
}
