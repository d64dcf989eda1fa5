/**
 * What an administrator decides for the whole installation: Kueue's Configuration file, and the one
 * of kube-scheduler.
 */
@NullMarked
package dev.sluice.controllers.configuration;

import org.jspecify.annotations.NullMarked;
