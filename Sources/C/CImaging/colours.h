#ifndef CIMAGING_COLOURS_H
#define CIMAGING_COLOURS_H

#include <stddef.h>
#include <stdint.h>

// Turns the colours of a picture into sRGB, by littleCMS.
typedef struct ci_colours ci_colours;

// The samples of a pixel: CI_RGB in the first three bytes of `stride`; CI_GREY likewise, by a profile for grey or for RGB.
// CI_INKS are four bytes, which become three. Where samples have 16 bits, the higher byte first, the stride counts samples,
// and they become bytes, also the fourth.
enum { CI_GREY, CI_RGB, CI_INKS, CI_INVERTED_INKS };

// By an ICC profile. NULL if it is damaged, describes other samples, or is that of sRGB as far as anybody can see.
ci_colours *ci_colours_by_profile(const void *profile, size_t length, int samples, int stride, int bits);
// By a PNG's gAMA, and its cHRM (white, red, green, blue: x and y) or NULL; the samples are CI_RGB. NULL as above.
ci_colours *ci_colours_by_gamma(double gamma, const double *chroma, int stride, int bits);
// By CI_PQ or CI_HLG and its white, red, green and blue. NULL for places that are none, and without littleCMS or memory.
ci_colours *ci_colours_by_light(int transfer, const double *chroma, int stride, int bits);
// In place, unless the samples are inks or have 16 bits. Without colours, nothing happens.
void ci_colours_convert(const ci_colours *colours, const uint8_t *from, uint8_t *to, size_t pixels);
void ci_colours_close(ci_colours *colours);

#endif
