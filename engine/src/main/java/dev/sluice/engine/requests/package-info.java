/** What the pods of a template ask of quota, and what is wrong with what they ask. */
@NullMarked
package dev.sluice.engine.requests;

import org.jspecify.annotations.NullMarked;
