package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.apiserver.http.limit.Limits;
import dev.sluice.apiserver.http.request.ApiRequest;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Negotiation;
import dev.sluice.apiserver.http.request.RequestPath;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.Verb;
import dev.sluice.apiserver.registry.Registry;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.apiserver.registry.kind.ServedKind.Subresource;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.apiserver.security.User;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The endpoint of requests about objects: checks that a request is allowed and valid, and passes it
 * to the endpoint of its verb.
 */
public final class ResourceEndpoint {
  private final Registry registry;
  private final Authorizer authorizer;
  private final ReadEndpoint reads;
  private final WatchEndpoint watches;
  private final WriteEndpoint writes;
  private final DeleteEndpoint deletes;
  private final ComputedEndpoint computed;
  private final LogEndpoint logs;
  private final SessionEndpoint sessions;
  private final Reviews reviews;
  private final InFlight readers;
  private final InFlight writers;

  public ResourceEndpoint(
      Registry registry,
      Authorizer authorizer,
      ReadEndpoint reads,
      WatchEndpoint watches,
      WriteEndpoint writes,
      DeleteEndpoint deletes,
      ComputedEndpoint computed,
      LogEndpoint logs,
      SessionEndpoint sessions,
      Limits limits) {
    this.registry = registry;
    this.authorizer = authorizer;
    this.reads = reads;
    this.watches = watches;
    this.writes = writes;
    this.deletes = deletes;
    this.computed = computed;
    this.logs = logs;
    this.sessions = sessions;
    this.reviews = new Reviews(authorizer);
    this.readers = new InFlight(limits.reads(), "requests that read");
    this.writers = new InFlight(limits.writes(), "requests that write");
  }

  public ApiResponse answer(ApiRequest call, RequestPath.Objects target, User user) {
    Verb verb = Verb.of(call.method(), target, call.query());
    authorizer.check(
        user,
        new Authorizer.Access(
            verb.word(),
            target.group(),
            target.plural(),
            target.subresource(),
            target.namespace(),
            target.name()));
    Optional<ServedKind> stored = stored(target);
    if (stored.isEmpty() && !serves(target.group(), target.version())) {
      return ApiResponse.Whole.text(404, "404 page not found\n");
    }
    if (computed.serves(target)) {
      try (var _ = readers.enter()) {
        return computed.answer(call, verb, target);
      }
    }
    ServedKind kind = stored.orElseThrow(ResourceEndpoint::noSuchResource);
    checkPath(verb, kind, target);
    var operation = new ResourceRequest(verb, call, kind, target, user);
    registry.deprecation(kind).ifPresent(call::warn);
    if (verb == Verb.WATCH) {
      return call.wantsWebSocket() ? useHttpInstead() : watches.watch(operation);
    }
    try (var _ = (verb.writes() ? writers : readers).enter()) {
      return answer(operation);
    }
  }

  /**
   * The response to a watch over a WebSocket: fabric8 takes any plain success as "not supported"
   * and watches over HTTP. It must not be the stream itself, whose end the JDK's WebSocket client
   * would await before it reports that the handshake failed.
   */
  private static ApiResponse useHttpInstead() {
    return new ApiResponse.Whole(200, Negotiation.Encoding.JSON.type(), new byte[0], List.of());
  }

  private ApiResponse answer(ResourceRequest operation) {
    if (Reviews.KINDS.contains(operation.kind())) {
      return reviews.answer(operation);
    }
    if (SessionEndpoint.answers(operation.target().subresource())) {
      return sessions.answer(operation);
    }
    return switch (operation.verb()) {
      case GET ->
          operation.target().subresource().equals(LogEndpoint.SUBRESOURCE)
              ? logs.answer(operation)
              : reads.get(operation);
      case LIST -> reads.list(operation);
      case WATCH -> watches.watch(operation);
      case CREATE -> writes.create(operation);
      case UPDATE -> writes.update(operation);
      case PATCH -> writes.patch(operation);
      case DELETE -> deletes.delete(operation);
      case DELETE_COLLECTION -> deletes.deleteCollection(operation);
    };
  }

  /** All served kinds, those that are not stored last. */
  public List<ServedKind> kinds() {
    return Stream.of(registry.kinds(), Reviews.KINDS, computed.kinds())
        .flatMap(List::stream)
        .toList();
  }

  private boolean serves(String group, String version) {
    return kinds().stream()
        .map(ServedKind::kind)
        .anyMatch(kind -> kind.group().equals(group) && kind.version().equals(version));
  }

  private Optional<ServedKind> stored(RequestPath.Objects target) {
    return registry
        .find(target.group(), target.version(), target.plural())
        .or(() -> Reviews.find(target));
  }

  private static void checkPath(Verb verb, ServedKind kind, RequestPath.Objects target) {
    boolean inNamespace = !target.namespace().isEmpty();
    boolean one = !target.name().isEmpty();
    if (inNamespace && !kind.kind().namespaced()) {
      throw noSuchResource();
    }
    if (kind.kind().namespaced() && !inNamespace && one) {
      throw noSuchResource();
    }
    if (!verbs(kind, target).contains(verb.word()) || !fits(verb, kind, target)) {
      throw Verb.notAllowed();
    }
  }

  private static List<String> verbs(ServedKind kind, RequestPath.Objects target) {
    if (target.subresource().isEmpty()) {
      return kind.verbs();
    }
    Optional<Subresource> subresource =
        kind.subresources().stream()
            .filter(known -> known.name().equals(target.subresource()))
            .findFirst();
    return subresource.orElseThrow(() -> noSuchSubresource(target)).verbs();
  }

  /** Whether the path has the segments that the verb needs, and no others. */
  private static boolean fits(Verb verb, ServedKind kind, RequestPath.Objects target) {
    boolean one = !target.name().isEmpty();
    boolean somewhere = !kind.kind().namespaced() || !target.namespace().isEmpty();
    return switch (verb) {
      case CREATE -> somewhere && one == !target.subresource().isEmpty();
      case UPDATE, PATCH -> one;
      case DELETE_COLLECTION -> somewhere;
      case GET, LIST, WATCH, DELETE -> true;
    };
  }

  private static RuntimeException noSuchSubresource(RequestPath.Objects target) {
    // Not a 404, which kubectl debug does not handle.
    return target.subresource().equals("ephemeralcontainers")
        ? ApiFailure.because(
            Reason.BAD_REQUEST,
            "spec.ephemeralContainers: pod %s/%s gets no debugging containers here; kubectl exec"
                    .formatted(target.namespace(), target.name())
                + " runs a command beside a container")
        : noSuchResource();
  }

  static RuntimeException noSuchResource() {
    return ApiFailure.because(Reason.NOT_FOUND, "the server could not find the requested resource");
  }
}
