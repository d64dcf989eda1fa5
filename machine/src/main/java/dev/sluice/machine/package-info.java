/** This machine as a node: containers are its processes, volumes are its folders. */
@NullMarked
package dev.sluice.machine;

import org.jspecify.annotations.NullMarked;
