package dev.sluice.apiserver.http;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a watch line by line. */
public final class WatchReader implements AutoCloseable {
  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  public WatchReader(HttpClient client, HttpRequest.Builder request) {
    try {
      this.response = client.send(request.build(), BodyHandlers.ofInputStream());
      this.lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  public static WatchReader of(TestServer server, String path) {
    return new WatchReader(server.admin(), server.request(path));
  }

  public int code() {
    return response.statusCode();
  }

  /** Waits for the next event; an empty tree at the end of the stream. */
  Tree next() {
    try {
      String line = lines.readLine();
      return line == null ? Tree.EMPTY : Json.parse(line).asTree();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The next event as its type, name and resourceVersion. */
  public String told() {
    Tree event = next();
    return event.isEmpty()
        ? "end"
        : "%s %s".formatted(event.text("type"), event.text("object", "metadata", "name")).strip();
  }

  List<String> told(int count) {
    var told = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      told.add(told());
    }
    return told;
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
