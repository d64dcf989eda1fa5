/** The local node: pods whose containers are processes of this machine. */
@NullMarked
package dev.sluice.controllers.nodes.local;

import org.jspecify.annotations.NullMarked;
