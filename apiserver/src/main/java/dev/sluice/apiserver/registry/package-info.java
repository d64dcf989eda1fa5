/** The API server without HTTP: the rules of every kind over the store. */
@NullMarked
package dev.sluice.apiserver.registry;

import org.jspecify.annotations.NullMarked;
