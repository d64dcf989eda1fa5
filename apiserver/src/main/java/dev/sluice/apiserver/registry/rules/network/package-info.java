/** The rules of kinds by which pods find each other. */
@NullMarked
package dev.sluice.apiserver.registry.rules.network;

import org.jspecify.annotations.NullMarked;
