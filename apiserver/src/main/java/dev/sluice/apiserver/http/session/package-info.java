/** Sessions with containers over WebSockets: exec, attach and port-forward. */
@NullMarked
package dev.sluice.apiserver.http.session;

import org.jspecify.annotations.NullMarked;
