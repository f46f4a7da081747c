#include "CImaging.h"
