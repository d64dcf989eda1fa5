/** Objects as rows: the columns and cells of {@code kubectl get}. */
@NullMarked
package dev.sluice.apiserver.http.table;

import org.jspecify.annotations.NullMarked;
