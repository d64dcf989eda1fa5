/** Removes what nobody owns any more, and remembers what changed. */
@NullMarked
package dev.sluice.controllers.housekeeping;

import org.jspecify.annotations.NullMarked;
