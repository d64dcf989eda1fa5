/** The binding of PersistentVolumeClaims to PersistentVolumes. */
@NullMarked
package dev.sluice.engine.volumes;

import org.jspecify.annotations.NullMarked;
