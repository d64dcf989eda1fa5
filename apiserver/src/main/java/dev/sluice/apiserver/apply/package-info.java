/**
 * Server-side apply: the ownership of fields, and the merge of an applied configuration into an
 * object.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.apiserver.apply;
