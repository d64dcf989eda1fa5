/**
 * Go's text templates over JSON, as far as people write them in KWOK's stages: pipelines,
 * conditions, loops, variables, named templates, Go's own functions and the common ones of sprig.
 */
@NullMarked
package dev.sluice.controllers.nodes.template;

import org.jspecify.annotations.NullMarked;
