#include "colours.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CImaging.h"

// As in lcms2.h; tests with the library would find a difference.
typedef struct { double x, y, Y; } whitepoint;
typedef struct { whitepoint red, green, blue; } primaries;
enum {
  COLOURS_RGB = 0x52474220, COLOURS_GREY = 0x47524159, COLOURS_INKS = 0x434D594B,
  KIND_LINK = 0x6C696E6B, KIND_ABSTRACT = 0x61627374, KIND_NAMED = 0x6E6D636C, FORMULAS = 0x44324230,
  PERCEPTUAL = 0, CURVE_OF_SCREENS = 4,
};
// Formats of samples: bytes a sample, samples, unused ones behind them, kind of colours, and a bit for inverted inks.
#define FORMAT(samples, unused, kind) (1u | (unsigned)(samples) << 3 | (unsigned)(unused) << 7 | (unsigned)(kind) << 16)
#define FORMAT_GREY FORMAT(1, 0, 3)
#define FORMAT_RGB(stride) FORMAT(3, (stride) - 3, 4)
#define FORMAT_INKS FORMAT(4, 0, 6)
#define INVERTED (1u << 13)

static struct {
  void *(*open)(const void *bytes, uint32_t length);
  int (*close)(void *profile);
  uint32_t (*colours)(void *profile);
  uint32_t (*kind)(void *profile);
  int (*has)(void *profile, uint32_t tag);
  void *(*screen)(void);
  void *(*rgb)(const whitepoint *white, const primaries *primaries, void *const curves[3]);
  void *(*gamma)(void *context, double gamma);
  void *(*parametric)(void *context, int32_t type, const double parameters[]);
  void (*free_curve)(void *curve);
  void *(*transform)(void *from, uint32_t from_format, void *to, uint32_t to_format, uint32_t intent, uint32_t flags);
  void (*convert)(void *transform, const void *from, void *to, uint32_t pixels);
  void (*free_transform)(void *transform);
} lcms;

static int is_loaded;

static void load(void) {
  static const char *const names[] = {
      "cmsOpenProfileFromMem", "cmsCloseProfile", "cmsGetColorSpace", "cmsGetDeviceClass", "cmsIsTag",
      "cmsCreate_sRGBProfile", "cmsCreateRGBProfile", "cmsBuildGamma", "cmsBuildParametricToneCurve",
      "cmsFreeToneCurve", "cmsCreateTransform", "cmsDoTransform", "cmsDeleteTransform"};
  _Static_assert(sizeof names / sizeof *names == sizeof lcms / sizeof(void *), "a name for each function");
  void *library = dlopen("liblcms2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *symbol = dlsym(library, names[index]);
    if (symbol == NULL) return;
    // dlsym returns functions as data pointers; POSIX prescribes this copy.
    memcpy((char *)&lcms + index * sizeof symbol, &symbol, sizeof symbol);
  }
  is_loaded = 1;
}

int ci_load_colours(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct ci_colours {
  void *transform;  // NULL for grey
  uint8_t levels[256];
  int stride;
};

// Profiles of printers have about 2 MB.
enum { MOST_BYTES = 4 * 1024 * 1024 };

void ci_colours_convert(const ci_colours *colours, const uint8_t *from, uint8_t *to, size_t pixels) {
  if (colours == NULL) return;
  if (colours->transform != NULL) {
    lcms.convert(colours->transform, from, to, (uint32_t)pixels);
    return;
  }
  for (size_t pixel = 0; pixel < pixels; pixel++, from += colours->stride, to += colours->stride) {
    for (int part = 0; part < 3; part++) to[part] = colours->levels[from[part]];
  }
}

void ci_colours_close(ci_colours *colours) {
  if (colours == NULL) return;
  if (colours->transform != NULL) lcms.free_transform(colours->transform);
  free(colours);
}

static void make_levels(ci_colours *colours) {
  uint8_t all[256], shown[3 * 256];
  for (int level = 0; level < 256; level++) all[level] = (uint8_t)level;
  lcms.convert(colours->transform, all, shown, 256);
  for (int level = 0; level < 256; level++) colours->levels[level] = shown[3 * level + 1];
  lcms.free_transform(colours->transform);
  colours->transform = NULL;
}

// One pixel: the level is that of all samples, or of one.
static void convert_one(const ci_colours *colours, int samples, const uint8_t level[3], uint8_t result[4]) {
  uint8_t pixel[4] = {level[0], level[1], level[2], 0};
  uint8_t made[4] = {0};
  if (samples == CI_INKS) memset(pixel, 255 - level[0], 4);
  if (samples == CI_INVERTED_INKS) memset(pixel, level[0], 4);
  ci_colours_convert(colours, pixel, made, 1);
  memcpy(result, made, 3);
}

// A damaged profile may be readable and make all pixels alike: white must stay light, and black dark.
static int is_plausible(const ci_colours *colours, int samples) {
  static const uint8_t white[3] = {255, 255, 255}, black[3] = {0, 0, 0};
  uint8_t light[4], dark[4];
  convert_one(colours, samples, white, light);
  convert_one(colours, samples, black, dark);
  for (int part = 0; part < 3; part++) {
    if (light[part] < 192 || dark[part] > 128) return 0;
  }
  return 1;
}

// The profiles of sRGB that programs write differ by a level or two.
static int changes_colours(const ci_colours *colours, int samples) {
  if (samples != CI_RGB && samples != CI_GREY) return 1;
  uint8_t level[3], made[4];
  for (int red = 0; red <= 255; red += 15) {
    for (int green = 0; green <= 255; green += samples == CI_GREY ? 256 : 51) {
      for (int blue = 0; blue <= 255; blue += samples == CI_GREY ? 256 : 51) {
        level[0] = (uint8_t)red;
        level[1] = (uint8_t)(samples == CI_GREY ? red : green);
        level[2] = (uint8_t)(samples == CI_GREY ? red : blue);
        convert_one(colours, samples, level, made);
        for (int part = 0; part < 3; part++) {
          if (abs(made[part] - level[part]) > 2) return 1;
        }
      }
    }
  }
  return 0;
}

// Closes the profile.
static ci_colours *colours_of(void *profile, int samples, int stride) {
  if (profile == NULL) return NULL;
  ci_colours *colours = calloc(1, sizeof *colours);
  void *screen = lcms.screen();
  uint32_t to = FORMAT_RGB(samples == CI_GREY ? 3 : stride), from = samples == CI_GREY ? FORMAT_GREY : to;
  if (samples == CI_INKS) from = FORMAT_INKS;
  if (samples == CI_INVERTED_INKS) from = FORMAT_INKS | INVERTED;
  if (colours != NULL && screen != NULL) {
    colours->transform = lcms.transform(profile, from, screen, to, PERCEPTUAL, 0);
  }
  if (screen != NULL) lcms.close(screen);
  lcms.close(profile);
  if (colours == NULL || colours->transform == NULL) {
    free(colours);
    return NULL;
  }
  colours->stride = stride;
  if (samples == CI_GREY) make_levels(colours);
  if (is_plausible(colours, samples) && changes_colours(colours, samples)) return colours;
  ci_colours_close(colours);
  return NULL;
}

ci_colours *ci_colours_by_profile(const void *bytes, size_t length, int samples, int stride) {
  if (length > MOST_BYTES || !ci_load_colours()) return NULL;
  void *profile = lcms.open(bytes, (uint32_t)length);
  if (profile == NULL) return NULL;
  uint32_t space = lcms.colours(profile);
  uint32_t kind = lcms.kind(profile);
  int isInks = samples == CI_INKS || samples == CI_INVERTED_INKS;
  if (samples == CI_GREY && space == COLOURS_RGB) samples = CI_RGB;
  uint32_t wanted = isInks ? COLOURS_INKS : samples == CI_GREY ? COLOURS_GREY : COLOURS_RGB;
  // Few profiles have formulas; a hostile one has so many that each colour takes minutes.
  if (space != wanted || kind == KIND_LINK || kind == KIND_ABSTRACT || kind == KIND_NAMED ||
      lcms.has(profile, FORMULAS)) {
    lcms.close(profile);
    return NULL;
  }
  return colours_of(profile, samples, isInks ? 3 : stride);
}

ci_colours *ci_colours_by_gamma(double gamma, const double *chroma, int stride) {
  static const double usual[8] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
  // IEC 61966-2-1, which files call 1/2.2.
  static const double screen[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  if (chroma == NULL) chroma = usual;
  if (!(gamma >= 0.1 && gamma <= 5) || !ci_load_colours()) return NULL;
  for (int part = 0; part < 8; part++) {
    if (!(chroma[part] >= 0 && chroma[part] <= 1) || (part % 2 == 1 && chroma[part] < 0.001)) return NULL;
  }
  void *curve = fabs(gamma - 1 / 2.2) < 0.005 ? lcms.parametric(NULL, CURVE_OF_SCREENS, screen)
                                              : lcms.gamma(NULL, 1 / gamma);
  if (curve == NULL) return NULL;
  whitepoint white = {chroma[0], chroma[1], 1};
  primaries corners = {
      {chroma[2], chroma[3], 1}, {chroma[4], chroma[5], 1}, {chroma[6], chroma[7], 1}};
  void *curves[3] = {curve, curve, curve};
  void *profile = lcms.rgb(&white, &corners, curves);
  lcms.free_curve(curve);
  return colours_of(profile, CI_RGB, stride);
}
