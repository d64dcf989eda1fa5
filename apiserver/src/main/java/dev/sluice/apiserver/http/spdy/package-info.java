/** As much of SPDY/3.1 as clients need who have ports forwarded. */
@NullMarked
package dev.sluice.apiserver.http.spdy;

import org.jspecify.annotations.NullMarked;
