package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Query;
import dev.sluice.model.ApiException;
import dev.sluice.store.StoppedException;
import dev.sluice.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The health checks of the server: liveness and readiness. */
public final class Health {

  private record Check(String name, Runnable probe) {}

  private final List<Check> checks;

  public Health(Store store) {
    this.checks = List.of(new Check("ping", () -> {}), new Check("store", store::checkWritable));
  }

  /**
   * The response for a path such as {@code /readyz} or {@code /readyz/ping}, if it is a health
   * check.
   */
  Optional<ApiResponse.Whole> answer(String path, Query query) {
    for (String endpoint : List.of("healthz", "livez", "readyz")) {
      if (path.equals("/" + endpoint)) {
        return Optional.of(all(endpoint, query));
      }
      Optional<Check> one =
          checks.stream().filter(c -> path.equals("/" + endpoint + "/" + c.name())).findFirst();
      if (one.isPresent()) {
        return Optional.of(passes(one.get()) ? ok() : ApiResponse.Whole.text(500, "failed\n"));
      }
    }
    return Optional.empty();
  }

  private ApiResponse.Whole all(String endpoint, Query query) {
    var lines = new ArrayList<String>();
    boolean healthy = true;
    for (Check check : checks) {
      if (query.all("exclude").contains(check.name())) {
        lines.add("[+]" + check.name() + " excluded: ok");
      } else if (passes(check)) {
        lines.add("[+]" + check.name() + " ok");
      } else {
        healthy = false;
        lines.add("[-]" + check.name() + " failed");
      }
    }
    lines.add(endpoint + " check " + (healthy ? "passed" : "failed"));
    if (healthy && !query.values().containsKey("verbose")) {
      return ok();
    }
    return ApiResponse.Whole.text(healthy ? 200 : 500, String.join("\n", lines) + "\n");
  }

  private static ApiResponse.Whole ok() {
    return ApiResponse.Whole.text(200, "ok");
  }

  private static boolean passes(Check check) {
    try {
      check.probe().run();
      return true;
    } catch (ApiException | IllegalStateException | StoppedException broken) {
      return false;
    }
  }
}
