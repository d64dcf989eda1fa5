/** What tests of ours and of our users share. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
