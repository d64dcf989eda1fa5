/** Typed views of volumes, claims, storage classes and CSI objects. */
@NullMarked
package dev.sluice.model.core.storage;

import org.jspecify.annotations.NullMarked;
