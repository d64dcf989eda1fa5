/** The rules of the local node for each field of a pod. */
@NullMarked
package dev.sluice.controllers.nodes.local.fields;

import org.jspecify.annotations.NullMarked;
