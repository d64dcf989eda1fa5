/** The test fixtures that the tests of all modules and of users share. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
