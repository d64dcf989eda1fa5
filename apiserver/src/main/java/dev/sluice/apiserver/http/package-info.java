/** The Kubernetes REST API over HTTP: the server and the handler of its requests. */
@NullMarked
package dev.sluice.apiserver.http;

import org.jspecify.annotations.NullMarked;
