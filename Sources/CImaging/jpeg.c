#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "CImaging.h"
#include "message.h"

int ci_jpeg_decode(const uint8_t *bytes, size_t length, int width, int height, int cmyk, uint8_t *pixels,
                   char *message) {
  message[0] = 0;
  tjhandle handle = tjInitDecompress();
  if (handle == NULL) return CI_NO_MEMORY;
  int status = CI_OK;
  // The library takes the largest n/8 whose result fits into width x height, and never writes beyond them.
  if (tjDecompress2(handle, bytes, (unsigned long)length, pixels, width, width * (cmyk ? 4 : 3), height,
                    cmyk ? TJPF_CMYK : TJPF_RGB, TJFLAG_LIMITSCANS) != 0) {
    ci_say(message, tjGetErrorStr2(handle));
    status = tjGetErrorCode(handle) == TJERR_WARNING ? CI_DAMAGED : CI_FAILED;
    if (status == CI_FAILED && strstr(message, "Insufficient memory") != NULL) status = CI_NO_MEMORY;
  }
  tjDestroy(handle);
  return status;
}

int ci_jpeg_encode(const uint8_t *rgb, int width, int height, int quality, int sampling, int progressive,
                   uint8_t **encoded, size_t *encodedLength, char *message) {
  static const int samplings[] = {TJSAMP_444, TJSAMP_420};
  message[0] = 0;
  *encoded = NULL;
  *encodedLength = 0;
  tjhandle handle = tjInitCompress();
  if (handle == NULL) return CI_NO_MEMORY;
  unsigned char *made = NULL;
  unsigned long madeLength = 0;
  int status = CI_OK;
  if (tjCompress2(handle, rgb, width, width * 3, height, TJPF_RGB, &made, &madeLength, samplings[sampling], quality,
                  progressive ? TJFLAG_PROGRESSIVE : 0) != 0) {
    ci_say(message, tjGetErrorStr2(handle));
    status = CI_FAILED;
  } else {
    // The library's buffer has its own way of being freed: hand out one that does not.
    *encoded = malloc(madeLength);
    if (*encoded == NULL) {
      status = CI_NO_MEMORY;
    } else {
      memcpy(*encoded, made, madeLength);
      *encodedLength = madeLength;
    }
  }
  tjFree(made);
  tjDestroy(handle);
  return status;
}

void ci_release(uint8_t *encoded) { free(encoded); }
