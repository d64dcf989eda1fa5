/** The web page and the small API behind it. It has no state: every answer is read from a world. */
@NullMarked
package dev.sluice.dashboard;

import org.jspecify.annotations.NullMarked;
