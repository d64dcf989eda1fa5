/** Who is admitted next, who must give way, and who waits for what. */
@NullMarked
package dev.sluice.engine.admission;

import org.jspecify.annotations.NullMarked;
