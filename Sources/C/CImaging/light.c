#include "light.h"

#include <math.h>

// In cd/m2. A file seldom says how bright it is at most; what is above this becomes white.
static const double PAPER = 203, BRIGHTEST = 1000;

// SMPTE ST 2084.
static const double M1 = 2610.0 / 16384, M2 = 2523.0 / 32, C1 = 3424.0 / 4096, C2 = 2413.0 / 128, C3 = 2392.0 / 128;

static double pq(double level) {
  double power = pow(level, 1 / M2);
  return 10000 * pow(fmax(power - C1, 0) / (C2 - C3 * power), 1 / M1);
}

static double pq_level(double light) {
  double power = pow(light / 10000, M1);
  return pow((C1 + C2 * power) / (1 + C3 * power), M2);
}

double ci_light(int transfer, double level) {
  if (transfer == CI_PQ) return pq(level) / PAPER;
  static const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
  return level <= 0.5 ? level * level / 3 : (exp((level - c) / a) + b) / 12;
}

double ci_light_of_scene(double luminance) { return BRIGHTEST / PAPER * pow(fmax(luminance, 0), 0.2); }

double ci_rolled_off(double light) {
  double whole = pq_level(BRIGHTEST), most = pq_level(PAPER) / whole, knee = 1.5 * most - 0.5;
  double level = fmin(1, pq_level(fmax(light, 0) * PAPER) / whole);
  if (level <= knee) return 1;
  double t = (level - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
  double rolled = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most;
  return pq(rolled * whole) / PAPER / light;
}
