/** The rules of pods and pod templates: defaults, validation, updates, warnings. */
@NullMarked
package dev.sluice.apiserver.registry.rules.pod;

import org.jspecify.annotations.NullMarked;
