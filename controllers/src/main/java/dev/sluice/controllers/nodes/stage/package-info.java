/**
 * KWOK's stages as pure decisions: which of them fits an object, after which delay, and what the
 * object is to become.
 */
@NullMarked
package dev.sluice.controllers.nodes.stage;

import org.jspecify.annotations.NullMarked;
