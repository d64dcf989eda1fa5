/** Helpers that controllers of every concern share: events, changed keys, pods by node, metrics. */
@NullMarked
package dev.sluice.controllers;

import org.jspecify.annotations.NullMarked;
