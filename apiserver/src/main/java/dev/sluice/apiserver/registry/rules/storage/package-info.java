/** The rules of volumes, claims and storage classes. */
@NullMarked
package dev.sluice.apiserver.registry.rules.storage;

import org.jspecify.annotations.NullMarked;
