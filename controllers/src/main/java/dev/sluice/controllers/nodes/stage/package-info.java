/**
 * KWOK's stages as pure decisions: which of them matches an object, after which delay, and what it
 * makes of the object.
 */
@NullMarked
package dev.sluice.controllers.nodes.stage;

import org.jspecify.annotations.NullMarked;
