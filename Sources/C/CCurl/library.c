#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

cc_library cc_curl;

// The first fields of curl_version_info_data, unchanged since libcurl 7.10.
typedef struct {
  int age;
  const char *version;
  unsigned number;
} version_info;

// OPENSSL_INIT_NO_ATEXIT, since OpenSSL 1.1.1.
enum { CRYPTO_NO_ATEXIT = 0x00080000 };

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static unsigned loaded_version = 0;
static char loaded_name[256];

static int say(int code, char *reason, size_t size, const char *words) {
  if (size > 0) snprintf(reason, size, "%s", words == NULL ? "" : words);
  return code;
}

static int load(const char *name, char *reason, size_t size) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return say(1, reason, size, dlerror());

  cc_library found;
  version_info *(*version)(int age);
  const struct {
    void *place;
    const char *symbol;
  } wanted[] = {
      {&found.global_init, "curl_global_init"},
      {&found.easy_init, "curl_easy_init"},
      {&found.easy_setopt, "curl_easy_setopt"},
      {&found.easy_getinfo, "curl_easy_getinfo"},
      {&found.easy_pause, "curl_easy_pause"},
      {&found.easy_cleanup, "curl_easy_cleanup"},
      {&found.slist_append, "curl_slist_append"},
      {&found.slist_free_all, "curl_slist_free_all"},
      {&found.multi_init, "curl_multi_init"},
      {&found.multi_setopt, "curl_multi_setopt"},
      {&found.multi_add_handle, "curl_multi_add_handle"},
      {&found.multi_remove_handle, "curl_multi_remove_handle"},
      {&found.multi_perform, "curl_multi_perform"},
      {&found.multi_poll, "curl_multi_poll"},
      {&found.multi_wakeup, "curl_multi_wakeup"},
      {&found.multi_info_read, "curl_multi_info_read"},
      {&found.multi_cleanup, "curl_multi_cleanup"},
      {&found.easy_strerror, "curl_easy_strerror"},
      {&version, "curl_version_info"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    void *symbol = dlsym(handle, wanted[i].symbol);
    if (symbol == NULL) {
      char words[128];
      snprintf(words, sizeof words, "it has no %s", wanted[i].symbol);
      dlclose(handle);
      return say(2, reason, size, words);
    }
    // dlsym returns functions as data pointers; POSIX prescribes this copy.
    memcpy(wanted[i].place, &symbol, sizeof symbol);
  }
  const version_info *info = version(0);
  if (info == NULL || info->number < CC_OLDEST_VERSION) {
    char words[128];
    snprintf(words, sizeof words, "it is version %s", info == NULL ? "?" : info->version);
    dlclose(handle);
    return say(2, reason, size, words);
  }
  // OpenSSL, if libcurl uses it, would clean up at exit while our thread may still be ending, and both would free the
  // thread's data. OPENSSL_INIT_NO_ATEXIT (OPENSSL_init_crypto(3)) prevents that; the memory goes with the process.
  int (*init_crypto)(uint64_t options, const void *settings);
  void *symbol = dlsym(handle, "OPENSSL_init_crypto");
  memcpy(&init_crypto, &symbol, sizeof symbol);
  if (symbol != NULL) init_crypto(CRYPTO_NO_ATEXIT, NULL);
  // Other threads may be inside calls to the first library.
  if (loaded_version != 0) return say(2, reason, size, "another one is loaded already");
  if (found.global_init(GLOBAL_DEFAULT) != 0) return say(2, reason, size, "it does not start");
  cc_curl = found;
  snprintf(loaded_name, sizeof loaded_name, "%s", name);
  loaded_version = info->number;
  return 0;
}

int cc_load(const char *library, char *reason, size_t size) {
  pthread_mutex_lock(&loading);
  int code = loaded_version != 0 && strcmp(library, loaded_name) == 0 ? 0 : load(library, reason, size);
  pthread_mutex_unlock(&loading);
  return code;
}
