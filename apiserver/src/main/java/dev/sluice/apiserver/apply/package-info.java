/** Server-side apply: who owns which field, and what an applied configuration does to an object. */
@org.jspecify.annotations.NullMarked
package dev.sluice.apiserver.apply;
