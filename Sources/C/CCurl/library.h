// libcurl's functions as pointers, filled by cc_load.
#pragma once
#include <stddef.h>

#include "include/CCurl.h"
#include "numbers.h"

typedef void CURL;
typedef void CURLM;
struct curl_slist;

typedef struct CURLMsg {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
} CURLMsg;

typedef struct cc_library {
  int (*global_init)(long flags);
  CURL *(*easy_init)(void);
  int (*easy_setopt)(CURL *easy, int option, ...);
  int (*easy_getinfo)(CURL *easy, int info, ...);
  int (*easy_pause)(CURL *easy, int mask);
  void (*easy_cleanup)(CURL *easy);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
  void (*slist_free_all)(struct curl_slist *list);
  CURLM *(*multi_init)(void);
  int (*multi_setopt)(CURLM *multi, int option, ...);
  int (*multi_add_handle)(CURLM *multi, CURL *easy);
  int (*multi_remove_handle)(CURLM *multi, CURL *easy);
  int (*multi_perform)(CURLM *multi, int *running);
  int (*multi_poll)(CURLM *multi, void *descriptors, unsigned count, int milliseconds, int *ready);
  int (*multi_wakeup)(CURLM *multi);
  CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
  int (*multi_cleanup)(CURLM *multi);
  const char *(*easy_strerror)(int code);
} cc_library;

// Valid only after cc_load has returned 0.
extern cc_library cc_curl;
