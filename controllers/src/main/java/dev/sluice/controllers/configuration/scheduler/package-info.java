/** The configuration file of kube-scheduler. */
@NullMarked
package dev.sluice.controllers.configuration.scheduler;

import org.jspecify.annotations.NullMarked;
