/** What the controllers of every concern share. */
@NullMarked
package dev.sluice.controllers;

import org.jspecify.annotations.NullMarked;
