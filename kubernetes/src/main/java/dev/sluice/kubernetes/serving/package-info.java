/** What the manager of a real cluster serves: webhooks, the visibility API, health and metrics. */
@NullMarked
package dev.sluice.kubernetes.serving;

import org.jspecify.annotations.NullMarked;
