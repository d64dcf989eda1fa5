/** The endpoints of the server, one for each kind of request. */
@NullMarked
package dev.sluice.apiserver.http.endpoint;

import org.jspecify.annotations.NullMarked;
