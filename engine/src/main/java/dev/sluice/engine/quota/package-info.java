/** The quota tree: nominal quota, usage, borrowing and lending of ClusterQueues and cohorts. */
@NullMarked
package dev.sluice.engine.quota;

import org.jspecify.annotations.NullMarked;
