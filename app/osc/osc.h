/* The source of Open Sound Control: listens where --osc says. */
#ifndef APP_OSC_OSC_H
#define APP_OSC_OSC_H

#include "app/control/control.h"

extern const struct app_source_way app_source_osc;

#endif
