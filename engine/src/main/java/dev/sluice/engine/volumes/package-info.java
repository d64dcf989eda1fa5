/** Which persistent volume a claim gets. */
@NullMarked
package dev.sluice.engine.volumes;

import org.jspecify.annotations.NullMarked;
