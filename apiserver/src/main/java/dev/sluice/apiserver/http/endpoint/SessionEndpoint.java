package dev.sluice.apiserver.http.endpoint;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.apiserver.http.request.ApiRequest;
import dev.sluice.apiserver.http.request.ApiResponse;
import dev.sluice.apiserver.http.request.Query;
import dev.sluice.apiserver.http.request.ResourceRequest;
import dev.sluice.apiserver.http.request.Verb;
import dev.sluice.apiserver.http.session.ChannelForwardSocket;
import dev.sluice.apiserver.http.session.PortForwardSocket;
import dev.sluice.apiserver.http.session.RemoteCommandSocket;
import dev.sluice.apiserver.http.watch.Freshness;
import dev.sluice.apiserver.security.Authorizer;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.ContainerSessions;
import dev.sluice.runtime.ContainerSessions.Wish;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The endpoint of {@code pods/exec}, {@code pods/attach} and {@code pods/portforward}: finds the
 * container or port and opens a session with it over a WebSocket. Plain SPDY, which older clients
 * use, is not supported.
 */
public final class SessionEndpoint {
  private static final String EXEC = "exec";
  private static final String ATTACH = "attach";
  private static final String PORT_FORWARD = "portforward";
  private static final List<String> CHANNELS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
  private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";
  private static final String PORT_CHANNELS = "v4.channel.k8s.io";
  private static final int MAX_SESSIONS = 200;
  private static final int MAX_PORT = 65_535;
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

  private final Freshness freshness;
  private final Authorizer authorizer;
  private final ContainerSessions sessions;
  private final InFlight places = new InFlight(MAX_SESSIONS, "talks with containers");

  public SessionEndpoint(Freshness freshness, Authorizer authorizer, ContainerSessions sessions) {
    this.freshness = freshness;
    this.authorizer = authorizer;
    this.sessions = sessions;
  }

  static boolean answers(String subresource) {
    return List.of(EXEC, ATTACH, PORT_FORWARD).contains(subresource);
  }

  ApiResponse answer(ResourceRequest operation) {
    // The handshake of a WebSocket is a GET, but a session is more than a read.
    authorizer.check(operation.user(), operation.access(Verb.CREATE));
    ObjectKey key = operation.kind().kind().key(operation.namespace(), operation.name());
    ApiObject object =
        freshness.notOlderThan(0).get(key).orElseThrow(() -> ApiFailure.notFound(key));
    var pod = new Pod(object);
    checkNode(pod);
    return operation.target().subresource().equals(PORT_FORWARD)
        ? forward(pod, operation.call())
        : remoteCommand(pod, operation);
  }

  private ApiResponse forward(Pod pod, ApiRequest call) {
    checkRuns(pod);
    String protocol = protocol(call, List.of(TUNNEL, PORT_CHANNELS));
    PortForwardSocket.Dialing dialing = port -> sessions.connect(pod.uid(), port);
    return new ApiResponse.Upgrade(
        protocol,
        protocol.equals(TUNNEL)
            ? new PortForwardSocket(dialing, places.enter())
            : forwardByChannels(call.query(), dialing));
  }

  private ChannelForwardSocket forwardByChannels(Query query, PortForwardSocket.Dialing dialing) {
    List<Integer> ports =
        query.all("ports").stream()
            .flatMap(list -> Stream.of(list.split(",", -1)))
            .map(SessionEndpoint::port)
            .toList();
    if (ports.isEmpty() || ports.size() > ChannelForwardSocket.MAX_PORTS) {
      throw badRequest(
          "query parameter \"ports\" must name 1 to %d ports, not %d"
              .formatted(ChannelForwardSocket.MAX_PORTS, ports.size()));
    }
    return new ChannelForwardSocket(dialing, ports, places.enter());
  }

  private static int port(String text) {
    if (PORT.matcher(text).matches()) {
      int port = Integer.parseInt(text);
      if (port > 0 && port <= MAX_PORT) {
        return port;
      }
    }
    throw badRequest(
        "query parameter \"ports\" must have numbers from 1 to %d, not \"%s\""
            .formatted(MAX_PORT, text));
  }

  private ApiResponse remoteCommand(Pod pod, ResourceRequest operation) {
    Wish wish = wish(pod, operation);
    String protocol = protocol(operation.call(), CHANNELS);
    Set<String> outputs = outputs(operation.call().query());
    var socket =
        new RemoteCommandSocket(
            output -> sessions.open(wish, output),
            outputs,
            "container \"%s\" of pod \"%s\" does not run".formatted(wish.container(), pod.name()),
            places.enter());
    return new ApiResponse.Upgrade(protocol, socket);
  }

  private void checkNode(Pod pod) {
    if (!pod.isBound()) {
      throw badRequest("pod %s does not have a host assigned".formatted(pod.name()));
    }
    if (!sessions.serves(pod.nodeName())) {
      throw badRequest(
          "node %s only pretends to run pods: nothing runs there that could be talked to"
              .formatted(pod.nodeName()));
    }
  }

  private static Wish wish(Pod pod, ResourceRequest operation) {
    Query query = operation.call().query();
    boolean runs = operation.target().subresource().equals(EXEC);
    List<String> command = runs ? query.all("command") : List.of();
    if (runs && command.isEmpty()) {
      throw badRequest("you must specify at least 1 command for the container");
    }
    if (!query.flag("stdin") && outputs(query).isEmpty()) {
      throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
    }
    String container = ContainerChoice.of(pod, query.text("container"));
    checkRuns(pod);
    return new Wish(pod.uid(), container, command, query.flag("stdin"), query.flag("tty"));
  }

  private static void checkRuns(Pod pod) {
    if (pod.isTerminal()) {
      throw badRequest(
          "cannot talk to a container in a completed pod; current phase is " + pod.phase().word());
    }
  }

  private static Set<String> outputs(Query query) {
    var outputs = new TreeSet<String>();
    Stream.of("stdout", "stderr").filter(query::flag).forEach(outputs::add);
    return outputs;
  }

  private static String protocol(ApiRequest call, List<String> spoken) {
    List<String> offered =
        Stream.of(call.header(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL).split(",", -1))
            .map(String::strip)
            .toList();
    Optional<String> known = spoken.stream().filter(offered::contains).findFirst();
    if (!call.wantsWebSocket() || known.isEmpty()) {
      throw badRequest(
          "you must ask for a WebSocket with the protocol %s; SPDY is not spoken here, so use a"
                  .formatted(String.join(" or ", spoken))
              + " client such as kubectl 1.31 or newer");
    }
    return known.get();
  }

  private static RuntimeException badRequest(String message) {
    return ApiFailure.because(Reason.BAD_REQUEST, message);
  }
}
