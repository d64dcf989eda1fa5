/** The web page and the small API behind it. It has no state: it reads the cluster each time. */
@NullMarked
package dev.sluice.dashboard;

import org.jspecify.annotations.NullMarked;
