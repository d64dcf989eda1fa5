package dev.sluice.conformance;

import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiObject;
import dev.sluice.runtime.AdmissionHook;
import java.net.URI;
import java.util.List;
import java.util.function.BiFunction;

/** Webhooks of a manager beside its API server, on this machine. */
public final class LocalWebhooks {
  private LocalWebhooks() {}

  /**
   * At any free port, with certificates of its own.
   *
   * @param converted the names of the definitions whose objects are converted
   */
  public static Webhooks.Settings settings(
      List<AdmissionHook> hooks,
      BiFunction<ApiObject, String, ApiObject> converter,
      List<String> converted) {
    return new Webhooks.Settings(
        "sluice",
        new HostAndPort("127.0.0.1", 0),
        TlsPolicy.NORMAL,
        new WebhookAddress.Url(URI.create("https://127.0.0.1")),
        new Webhooks.Certificates.Made(Webhooks.SECRET),
        "kueue-system",
        hooks,
        converter,
        converted);
  }
}
