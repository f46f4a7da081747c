#include "colours.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CImaging.h"
#include "light.h"

// As in lcms2.h; tests with the library would find a difference.
typedef struct { double x, y, Y; } whitepoint;
typedef struct { whitepoint red, green, blue; } primaries;
enum {
  COLOURS_RGB = 0x52474220, COLOURS_GREY = 0x47524159, COLOURS_INKS = 0x434D594B,
  KIND_LINK = 0x6C696E6B, KIND_ABSTRACT = 0x61627374, KIND_NAMED = 0x6E6D636C, FORMULAS = 0x44324230,
  TABLE = 0x41324230, MATRIX = 0x7258595A, PERCEPTUAL = 0, CURVE_OF_SCREENS = 4, EXACT = 0x0100,
};
// Formats of samples: bytes a sample, samples, unused ones behind them, kind of colours, and bits for inverted inks, for two
// bytes a sample, the higher one first, and for floats.
#define FORMAT(samples, unused, kind) (1u | (unsigned)(samples) << 3 | (unsigned)(unused) << 7 | (unsigned)(kind) << 16)
#define WIDE(format) (((format) ^ 3u) | (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1u << 11 : 0))
#define FORMAT_FLOAT (1u << 22 | 4u | 3u << 3 | 4u << 16)
#define FORMAT_GREY FORMAT(1, 0, 3)
#define FORMAT_RGB(stride) FORMAT(3, (stride) - 3, 4)
#define FORMAT_INKS FORMAT(4, 0, 6)
#define INVERTED (1u << 13)

static const double CHROMA_OF_SCREENS[8] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};

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

// Red, green and blue of 16 bits in linear light, which add up, and the levels of the screen for their sums. lcms2 itself takes
// 0.2 s a megapixel for them, or makes a coarse table of its own, which is wrong by up to 26 levels.
typedef struct {
  float parts[3][65536][3];
  uint8_t shown[65536];
  // Of pictures of high dynamic range: CI_PQ or CI_HLG, and factors by luminance and by the largest part. The last are
  // for 1 and MOST_LIGHT.
  int transfer;
  float scenes[4097], rolled[8193];
} sums;

static const float MOST_LIGHT = 8;

struct ci_colours {
  // One of these.
  void *transform;
  uint8_t *levels;  // of grey
  sums *sums;       // by a profile of three curves and a matrix
  int stride;
  int isWide;       // samples of 16 bits
};

// Profiles of printers have about 2 MB.
enum { MOST_BYTES = 4 * 1024 * 1024 };

static unsigned at(const uint8_t *wide) { return (unsigned)wide[0] << 8 | wide[1]; }

static void roll_off(const sums *sums, float light[3]) {
  float factor = 1;
  if (sums->transfer == CI_HLG) {
    float luminance = 0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2];
    factor = sums->scenes[luminance > 0 ? luminance < 1 ? (int)(luminance * 4096 + 0.5f) : 4096 : 0];
  }
  float most = factor * fmaxf(light[0], fmaxf(light[1], light[2]));
  factor *= most < MOST_LIGHT ? sums->rolled[most > 0 ? (int)(most / MOST_LIGHT * 8192 + 0.5f) : 0] : 1 / most;
  for (int part = 0; part < 3; part++) light[part] *= factor;
}

void ci_colours_convert(const ci_colours *colours, const uint8_t *from, uint8_t *to, size_t pixels) {
  if (colours == NULL) return;
  if (colours->transform != NULL) {
    lcms.convert(colours->transform, from, to, (uint32_t)pixels);
    if (!colours->isWide || colours->stride == 3) return;
  }
  int width = colours->isWide ? 2 : 1;
  for (size_t pixel = 0; pixel < pixels; pixel++, from += colours->stride * width, to += colours->stride) {
    if (colours->isWide && colours->stride == 4) to[3] = (uint8_t)((at(from + 6) * 255u + 32895u) >> 16);
    for (int part = 0; part < 3 && colours->levels != NULL; part++) {
      to[part] = colours->levels[colours->isWide ? at(from + 2 * part) : from[part]];
    }
    if (colours->sums == NULL) continue;
    float light[3] = {0, 0, 0};
    for (int part = 0; part < 3; part++) {
      const float *lights = colours->sums->parts[part][colours->isWide ? at(from + 2 * part) : from[part] * 257u];
      for (int c = 0; c < 3; c++) light[c] += lights[c];
    }
    if (colours->sums->transfer != 0) roll_off(colours->sums, light);
    for (int part = 0; part < 3; part++) {
      to[part] = colours->sums->shown[light[part] > 0 ? light[part] < 1 ? (int)(light[part] * 65535 + 0.5f) : 65535 : 0];
    }
  }
}

void ci_colours_close(ci_colours *colours) {
  if (colours == NULL) return;
  if (colours->transform != NULL) lcms.free_transform(colours->transform);
  free(colours->levels);
  free(colours->sums);
  free(colours);
}

// Takes the curve. White, red, green and blue: x and y.
static void *matrix_profile(void *curve, const double *chroma) {
  if (curve == NULL) return NULL;
  whitepoint white = {chroma[0], chroma[1], 1};
  primaries corners = {
      {chroma[2], chroma[3], 1}, {chroma[4], chroma[5], 1}, {chroma[6], chroma[7], 1}};
  void *curves[3] = {curve, curve, curve};
  void *profile = lcms.rgb(&white, &corners, curves);
  lcms.free_curve(curve);
  return profile;
}

// With a transfer, the profile is linear.
static sums *sums_of(void *profile, int transfer) {
  void *linear = matrix_profile(lcms.gamma(NULL, 1), CHROMA_OF_SCREENS);
  if (linear == NULL) return NULL;
  void *transform = lcms.transform(profile, FORMAT_FLOAT, linear, FORMAT_FLOAT, PERCEPTUAL, EXACT);
  lcms.close(linear);
  sums *made = transform == NULL ? NULL : malloc(sizeof *made);
  for (int level = 0; level < 65536 && made != NULL; level++) {
    double light = level / 65535.0;
    double shown = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    made->shown[level] = (uint8_t)(255 * shown + 0.5);
    for (int part = 0; part < 3; part++) {
      float pixel[3] = {0, 0, 0};
      pixel[part] = (float)(transfer != 0 ? ci_light(transfer, light) : light);
      lcms.convert(transform, pixel, made->parts[part][level], 1);
      // The light of black is in each part.
      for (int c = 0; c < 3 && part > 0; c++) made->parts[part][level][c] -= made->parts[0][0][c];
    }
  }
  if (transform != NULL) lcms.free_transform(transform);
  if (made == NULL) return NULL;
  made->transfer = transfer;
  for (int place = 0; place <= 4096 && transfer != 0; place++) made->scenes[place] = (float)ci_light_of_scene(place / 4096.0);
  for (int place = 0; place <= 8192 && transfer != 0; place++) {
    made->rolled[place] = (float)ci_rolled_off(place / 8192.0 * MOST_LIGHT);
  }
  return made;
}

static void make_levels(ci_colours *colours) {
  int count = colours->isWide ? 65536 : 256;
  colours->levels = malloc((size_t)count);
  for (int level = 0; level < count && colours->levels != NULL; level++) {
    uint8_t wide[2] = {(uint8_t)(level >> 8), (uint8_t)level}, shown[3];
    lcms.convert(colours->transform, colours->isWide ? wide : wide + 1, shown, 1);
    colours->levels[level] = shown[1];
  }
  lcms.free_transform(colours->transform);
  colours->transform = NULL;
}

// One pixel: the level is that of all samples, or of one.
static void convert_one(const ci_colours *colours, int samples, const uint8_t level[3], uint8_t result[4]) {
  uint8_t pixel[4] = {level[0], level[1], level[2], 0};
  uint8_t wide[8], made[4] = {0};
  if (samples == CI_INKS) memset(pixel, 255 - level[0], 4);
  if (samples == CI_INVERTED_INKS) memset(pixel, level[0], 4);
  for (int byte = 0; byte < 8; byte++) wide[byte] = pixel[byte / 2];
  ci_colours_convert(colours, colours->isWide ? wide : pixel, made, 1);
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
static ci_colours *colours_of(void *profile, int samples, int stride, int bits) {
  if (profile == NULL) return NULL;
  ci_colours *colours = calloc(1, sizeof *colours);
  void *screen = lcms.screen();
  uint32_t to = FORMAT_RGB(samples == CI_GREY ? 3 : stride), from = samples == CI_GREY ? FORMAT_GREY : to;
  if (samples == CI_INKS) from = FORMAT_INKS;
  if (samples == CI_INVERTED_INKS) from = FORMAT_INKS | INVERTED;
  if (bits == 16) from = WIDE(from);
  if (colours != NULL && bits == 16 && samples == CI_RGB && lcms.has(profile, MATRIX) && !lcms.has(profile, TABLE)) {
    colours->sums = sums_of(profile, 0);
  } else if (colours != NULL && screen != NULL) {
    uint32_t flags = bits == 16 && samples == CI_GREY ? EXACT : 0;
    colours->transform = lcms.transform(profile, from, screen, to, PERCEPTUAL, flags);
  }
  if (screen != NULL) lcms.close(screen);
  lcms.close(profile);
  if (colours == NULL) return NULL;
  colours->stride = stride;
  colours->isWide = bits == 16;
  if (samples == CI_GREY && colours->transform != NULL) make_levels(colours);
  if (colours->transform == NULL && colours->levels == NULL && colours->sums == NULL) {
    free(colours);
    return NULL;
  }
  if (is_plausible(colours, samples) && changes_colours(colours, samples)) return colours;
  ci_colours_close(colours);
  return NULL;
}

ci_colours *ci_colours_by_profile(const void *bytes, size_t length, int samples, int stride, int bits) {
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
  return colours_of(profile, samples, isInks ? 3 : stride, bits);
}

static int are_places(const double *chroma) {
  for (int part = 0; part < 8; part++) {
    if (!(chroma[part] >= 0 && chroma[part] <= 1) || (part % 2 == 1 && chroma[part] < 0.001)) return 0;
  }
  return 1;
}

ci_colours *ci_colours_by_light(int transfer, const double *chroma, int stride, int bits) {
  if (!are_places(chroma) || !ci_load_colours()) return NULL;
  void *profile = matrix_profile(lcms.gamma(NULL, 1), chroma);
  ci_colours *colours = profile == NULL ? NULL : calloc(1, sizeof *colours);
  if (colours != NULL) *colours = (ci_colours){.sums = sums_of(profile, transfer), .stride = stride, .isWide = bits == 16};
  if (profile != NULL) lcms.close(profile);
  if (colours != NULL && colours->sums != NULL) return colours;
  free(colours);
  return NULL;
}

ci_colours *ci_colours_by_gamma(double gamma, const double *chroma, int stride, int bits) {
  // IEC 61966-2-1, which files call 1/2.2.
  static const double screen[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  if (chroma == NULL) chroma = CHROMA_OF_SCREENS;
  if (!(gamma >= 0.1 && gamma <= 5) || !are_places(chroma) || !ci_load_colours()) return NULL;
  void *curve = fabs(gamma - 1 / 2.2) < 0.005 ? lcms.parametric(NULL, CURVE_OF_SCREENS, screen)
                                              : lcms.gamma(NULL, 1 / gamma);
  return colours_of(matrix_profile(curve, chroma), CI_RGB, stride, bits);
}
