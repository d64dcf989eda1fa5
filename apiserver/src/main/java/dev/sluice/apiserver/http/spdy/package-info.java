/** The part of SPDY/3.1 that port-forward clients need. */
@NullMarked
package dev.sluice.apiserver.http.spdy;

import org.jspecify.annotations.NullMarked;
