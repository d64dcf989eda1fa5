package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.serving.ApiAddress;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The addresses at which a manager listens for the API server, and how that reaches them. */
final class ServingOptions {
  private static final int WEBHOOK_PORT = 9443;
  private static final int VISIBILITY_PORT = 8082;

  /** The controllers with admission webhooks. */
  private static final Set<Group> ASKED = Set.of(Group.QUEUEING, Group.NODES);

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description =
          "How the API server reaches the webhooks of this process, as https://HOST[:PORT]; the"
              + " visibility API is reached at the same host."
              + " Default: in the cluster by a Service, from outside by this machine's address")
  private Optional<URI> webhookUrl = Optional.empty();

  @Option(
      names = "--webhook-port",
      paramLabel = "N",
      description =
          "Where the webhooks listen; 0 takes any free port. Default: 9443 in the cluster, else the"
              + " port of --webhook-url or any free one")
  private Optional<Integer> webhookPort = Optional.empty();

  @Option(
      names = "--visibility-port",
      paramLabel = "N",
      description =
          "Where the visibility API listens; 0 takes any free port. Default: 8082 in the cluster,"
              + " else any free one")
  private Optional<Integer> visibilityPort = Optional.empty();

  @Option(
      names = "--no-webhooks",
      description =
          "Do not serve webhooks: only the schemas reject bad input then, v1beta1 is not converted,"
              + " and a job may start a pod before it is suspended.")
  private boolean withoutWebhooks;

  /** Rejects flags that no controller would act on. */
  void refuseIdle(IdleFlags idle) {
    idle.refuse("--webhook-url", webhookUrl.isPresent(), ASKED);
    idle.refuse("--webhook-port", webhookPort.isPresent(), ASKED);
    idle.refuse("--visibility-port", visibilityPort.isPresent(), Set.of(Group.QUEUEING));
  }

  /** How the API server reaches this process. */
  WebhookAddress address(Connection connection, String home, ManagerSettings file) {
    if (webhookUrl.isPresent()) {
      return Flag.read("--webhook-url", () -> new WebhookAddress.Url(webhookUrl.get()));
    }
    return connection.podNamespace().isPresent()
        ? new WebhookAddress.Service(home, file.certificates().webhookService())
        : WebhookAddress.Url.reachableFrom(URI.create(connection.server()));
  }

  /** Settings without effect: both names are for managers that are reached by a Service. */
  static List<String> idle(WebhookAddress address, ManagerSettings.Certificates file) {
    return switch (address) {
      case WebhookAddress.Service _ -> List.of();
      case WebhookAddress.Url _ ->
          Stream.of(
                  file.webhookService().equals(Webhooks.SERVICE) ? "" : "webhookServiceName",
                  file.webhookSecret().equals(Webhooks.SECRET) ? "" : "webhookSecretName")
              .filter(field -> !field.isEmpty())
              .map(field ->
                  "internalCertManagement.%s: has no effect: the webhooks are reached by a URL"
                      .formatted(field))
              .toList();
    };
  }

  /** How webhooks are served; empty if they are switched off, or no controller has any. */
  Optional<ManagerPlan.Hooks> hooks(
      WebhookAddress address, ManagerSettings file, Set<Group> groups) {
    if (withoutWebhooks || ASKED.stream().noneMatch(groups::contains)) {
      return Optional.empty();
    }
    var certificates =
        file.certificates().managed()
            ? new Webhooks.Certificates.Made(file.certificates().webhookSecret())
            : new Webhooks.Certificates.InFolder(Path.of(file.webhook().certificateDirectory()));
    int usual =
        switch (address) {
          case WebhookAddress.Service _ -> WEBHOOK_PORT;
          case WebhookAddress.Url url -> url.port();
        };
    int port =
        webhookPort
            .map(given -> Flag.requirePort("--webhook-port", given))
            .or(file.webhook()::port)
            .orElse(usual);
    return Optional.of(
        new ManagerPlan.Hooks(
            new HostAndPort(host(file.webhook().host(), address), port), address, certificates));
  }

  /** How the visibility API is served; empty if it is switched off, or nothing is queued. */
  Optional<ManagerPlan.Visibility> visibility(
      Connection connection,
      WebhookAddress webhooks,
      String home,
      ManagerSettings.Visibility file,
      Set<Group> groups) {
    if (!file.enabled() || !groups.contains(Group.QUEUEING)) {
      return Optional.empty();
    }
    Optional<Integer> port =
        visibilityPort.map(given -> Flag.requirePort("--visibility-port", given)).or(file::port);
    if (connection.podNamespace().isEmpty() && webhooks instanceof WebhookAddress.Url url) {
      var listen = new HostAndPort(host(file.host(), url), port.orElse(0));
      return ApiAddress.outside(home, url.base())
          .map(address -> new ManagerPlan.Visibility(listen, address));
    }
    var listen = new HostAndPort(file.host(), port.orElse(VISIBILITY_PORT));
    return Optional.of(new ManagerPlan.Visibility(listen, ApiAddress.inside(home)));
  }

  /** The default host: all addresses, unless only this machine has to reach it. */
  private static String host(String inFile, WebhookAddress address) {
    boolean local = address instanceof WebhookAddress.Url url && url.isLocal();
    return inFile.isEmpty() && local ? "127.0.0.1" : inFile;
  }
}
