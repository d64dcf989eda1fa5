/** The scheduler: chooses a node for every pod that has none. */
@NullMarked
package dev.sluice.controllers.scheduling;

import org.jspecify.annotations.NullMarked;
