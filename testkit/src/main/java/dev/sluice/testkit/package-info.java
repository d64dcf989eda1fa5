/** What tests of every room share: clusters in memory, and the steps and objects for them. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
