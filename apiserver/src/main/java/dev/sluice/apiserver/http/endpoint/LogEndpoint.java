package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.apiserver.http.limit.Limits;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Query;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.apiserver.http.watch.OpenWatches;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerLogs.LogRequest;
import dev.sluice.runtime.TimeSource;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The endpoint of {@code pods/log}: finds the container and streams the lines from its node. */
public final class LogEndpoint {
  static final String SUBRESOURCE = "log";

  private static final ResourceKind OPTIONS =
      new ResourceKind("", "v1", "PodLogOptions", "", false);

  private final Freshness freshness;
  private final ContainerLogs logs;
  private final TimeSource time;
  private final OpenWatches watches;
  private final InFlight places;

  public LogEndpoint(
      Freshness freshness,
      ContainerLogs logs,
      TimeSource time,
      OpenWatches watches,
      Limits limits) {
    this.freshness = freshness;
    this.logs = logs;
    this.time = time;
    this.watches = watches;
    this.places = new InFlight(limits.watches(), "logs being read");
  }

  ApiResponse answer(ResourceRequest operation) {
    ObjectKey key = operation.kind().kind().key(operation.namespace(), operation.name());
    ApiObject object =
        freshness.notOlderThan(0).get(key).orElseThrow(() -> ApiFailure.notFound(key));
    var pod = new Pod(object);
    Query query = operation.call().query();
    String container = ContainerChoice.of(pod, query.text("container"));
    LogRequest question = question(pod, container, query);
    if (!pod.isBound()) {
      return ApiResponse.Whole.text(204, "");
    }
    if (!logs.keeps(pod.nodeName())) {
      throw ApiFailure.because(
          Reason.INTERNAL_ERROR,
          "node %s keeps no logs: it only pretends to run pods".formatted(pod.nodeName()));
    }
    if (!logs.has(question)) {
      throw nothingYet(pod, question);
    }
    return new ApiResponse.Streaming("text/plain", new Lines(question, places.enter()));
  }

  private static RuntimeException nothingYet(Pod pod, LogRequest question) {
    String which = "container \"%s\" in pod \"%s\"".formatted(question.container(), pod.name());
    if (question.previous()) {
      return badRequest("previous terminated " + which + " not found");
    }
    if (pod.isTerminal()) {
      String why = pod.status().message();
      return badRequest(which + " has never run" + (why.isEmpty() ? "" : ": " + why));
    }
    String why = pod.status().waitingReason(question.container());
    return badRequest(which + " is waiting to start" + (why.isEmpty() ? "" : ": " + why));
  }

  private static RuntimeException badRequest(String message) {
    return ApiFailure.because(Reason.BAD_REQUEST, message);
  }

  private LogRequest question(Pod pod, String container, Query query) {
    var causes = new ArrayList<Cause>();
    var question =
        new LogRequest(
            pod.uid(),
            container,
            stream(query, causes),
            query.flag("previous"),
            query.flag("follow"),
            query.flag("timestamps"),
            since(query, causes),
            atLeast(0, "tailLines", query, causes),
            atLeast(1, "limitBytes", query, causes));
    if (!causes.isEmpty()) {
      throw ApiFailure.invalid(OPTIONS, pod.name(), causes);
    }
    return question;
  }

  private static String stream(Query query, List<Cause> causes) {
    String stream = query.text("stream").toLowerCase(Locale.ROOT);
    if (!List.of("", "all", "stdout", "stderr").contains(stream)) {
      causes.add(
          Cause.notSupported("stream", query.text("stream"), List.of("All", "Stderr", "Stdout")));
    }
    return stream.equals("all") ? "" : stream;
  }

  private Optional<Instant> since(Query query, List<Cause> causes) {
    OptionalLong seconds = atLeast(1, "sinceSeconds", query, causes);
    Optional<Instant> sinceTime = Timestamps.parse(query.text("sinceTime"));
    if (query.has("sinceTime") && sinceTime.isEmpty()) {
      causes.add(
          Cause.invalid("sinceTime", query.text("sinceTime"), "must be a moment in RFC 3339"));
    }
    if (query.has("sinceTime") && seconds.isPresent()) {
      causes.add(
          Cause.forbidden("sinceSeconds", "at most one of sinceTime or sinceSeconds may be given"));
    }
    Instant now = time.now();
    return seconds.isPresent()
        ? Optional.of(now.minusSeconds(Math.clamp(seconds.getAsLong(), 0, now.getEpochSecond())))
        : sinceTime;
  }

  private static OptionalLong atLeast(long least, String name, Query query, List<Cause> causes) {
    OptionalLong number = query.whole(name);
    if (number.isPresent() && number.getAsLong() < least) {
      causes.add(
          Cause.invalid(
              name,
              Long.toString(number.getAsLong()),
              "must be greater than or equal to " + least));
    }
    return number;
  }

  /** The stream of lines to one client. */
  private final class Lines implements ApiResponse.Source {
    private final LogRequest question;
    private final InFlight.Place place;
    private volatile boolean abandoned;

    Lines(LogRequest question, InFlight.Place place) {
      this.question = question;
      this.place = place;
    }

    @Override
    public void run(ApiResponse.Sink sink) throws IOException, InterruptedException {
      try (var _ = place) {
        sink.write(new byte[0]); // sends the headers before the first line
        logs.copy(question, reader(sink));
      }
    }

    private ContainerLogs.Sink reader(ApiResponse.Sink sink) {
      return new ContainerLogs.Sink() {
        @Override
        public void write(byte[] bytes) throws IOException {
          sink.write(bytes);
        }

        @Override
        public boolean isAbandoned() {
          return abandoned || watches.areEnding();
        }
      };
    }

    @Override
    public void abandon() {
      abandoned = true;
    }
  }
}
