/** The Kubernetes REST API as HTTP: one small class for each part of a request. */
@NullMarked
package dev.sluice.apiserver.http;

import org.jspecify.annotations.NullMarked;
