/** The types of patches that the API server takes, and how each kind merges. */
@NullMarked
package dev.sluice.apiserver.patch;

import org.jspecify.annotations.NullMarked;
