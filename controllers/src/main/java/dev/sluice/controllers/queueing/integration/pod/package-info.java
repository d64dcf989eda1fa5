/** The integration of plain pods and pod groups. */
@NullMarked
package dev.sluice.controllers.queueing.integration.pod;

import org.jspecify.annotations.NullMarked;
