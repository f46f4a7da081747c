#ifndef CIMAGING_LIGHT_H
#define CIMAGING_LIGHT_H

// Pictures of high dynamic range on a screen that has none. Light is 1 where such a picture's white paper is, which has
// 203 cd/m2 (ITU-R BT.2408).

// By the numbers of ITU-T H.273.
enum { CI_PQ = 16, CI_HLG = 18 };

// The light of a level between 0 and 1. With CI_HLG it is that of the scene, and `ci_light_of_scene` follows.
double ci_light(int transfer, double level);
// The factor that makes the light of a screen out of a scene's light of that luminance (ITU-R BT.2100).
double ci_light_of_scene(double luminance);
// The factor that brings light below 1: nothing happens to what is dark, and bright light is rolled off (ITU-R BT.2390).
double ci_rolled_off(double light);

#endif
