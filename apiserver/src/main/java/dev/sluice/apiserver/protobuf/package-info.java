/** What the published Protobuf messages tell about the built-in kinds, and bodies sent in them. */
@NullMarked
package dev.sluice.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
