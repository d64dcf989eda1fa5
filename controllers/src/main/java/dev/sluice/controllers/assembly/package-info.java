/** The controllers that run together; the only package of the room that knows all others. */
@NullMarked
package dev.sluice.controllers.assembly;

import org.jspecify.annotations.NullMarked;
