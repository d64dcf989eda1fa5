/**
 * The published Protobuf messages of the built-in kinds: schemas read from them, and bodies encoded
 * in them.
 */
@NullMarked
package dev.sluice.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
