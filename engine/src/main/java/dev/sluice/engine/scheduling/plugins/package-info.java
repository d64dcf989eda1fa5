/** The plugins of kube-scheduler, by its names. */
@NullMarked
package dev.sluice.engine.scheduling.plugins;

import org.jspecify.annotations.NullMarked;
