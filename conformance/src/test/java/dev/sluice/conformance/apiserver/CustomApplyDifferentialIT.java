package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A kind of one's own that several managers write, with every sort of list and map. */
@RequiresKubernetes
@Timeout(120)
class CustomApplyDifferentialIT extends AppliedTwice {
  private static final String GATES = "/apis/apply.sluice.dev/v1/namespaces/default/gates";

  CustomApplyDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    super(kubernetes, folder);
  }

  private static final String GATE =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: gates.apply.sluice.dev}
      spec:
        group: apply.sluice.dev
        scope: Namespaced
        names: {kind: Gate, plural: gates}
        versions:
        - &version
          name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    width: {type: integer}
                    size: {type: string, default: large}
                    any: {type: object, x-kubernetes-preserve-unknown-fields: true}
                    free: {type: object, additionalProperties: {type: object, properties: {
                      a: {type: string}, b: {type: string}}}}
                    whole: {type: object, x-kubernetes-map-type: atomic, properties: {
                      a: {type: string}, b: {type: string}}}
                    list: {type: array, items: {type: string}}
                    set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                    numbers: {type: array, x-kubernetes-list-type: set, items: {type: integer}}
                    keyed:
                      type: array
                      x-kubernetes-list-type: map
                      x-kubernetes-list-map-keys: [name, port]
                      items:
                        type: object
                        required: [name]
                        properties:
                          name: {type: string}
                          port: {type: integer, default: 80}
                          value: {type: string}
                status:
                  type: object
                  properties: {open: {type: boolean}, level: {type: integer}}
      """;

  private static String gate(String spec) {
    return "{apiVersion: apply.sluice.dev/v1, kind: Gate, metadata: {name: g}, spec: {%s}}"
        .formatted(spec);
  }

  private void installGates() {
    for (ApiClient server : List.of(servers.ours, servers.real)) {
      server.send(
          "POST",
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          "application/yaml",
          GATE);
      Eventually.holds("gates are served", () -> server.send("GET", GATES, "", "").code() == 200);
    }
  }

  @Test
  void customResources() {
    installGates();
    String g = GATES + "/g";
    String keyed = "keyed: [{name: a, value: x}, {name: b, port: 1}]";
    apply(g, "a", gate("width: 1, set: [a, b], numbers: [1, 2], list: [x], " + keyed));
    apply(g, "b", gate("set: [c, b], keyed: [{name: c}, {name: b, port: 1, value: z}]"));
    apply(g, "b", gate("set: [d, a], keyed: [{name: a, value: other}], list: [z]"));
    apply(g, "b&force=true", gate("set: [d, a], keyed: [{name: a, value: other}], list: [z]"));
    apply(g, "a", gate("width: 1, set: [b]"));
    merge(g, "m", "{spec: {any: {p: {q: 1}, r: [1]}, free: {k: {a: x}}, whole: {a: x}}}");
    apply(g, "a", gate("any: {p: {q: 2, s: 1}}, free: {k: {b: x}, l: {}}, whole: {a: x, b: z}"));
    apply(g, "a", gate("any: {p: {s: 1}}, free: {k: {b: x}, l: {}}"));
    apply(g, "a", gate("any: {r: [2]}"));
    apply(g, "a", gate("whole: {}, free: {}, size: small"));
    apply(g, "a", gate(""));
    apply(g, "a", gate("size: null"));
    apply(g, "a", gate("unknown: 1"));
    apply(g, "a", gate("keyed: [{name: a}, {name: a, port: 80}]"));
    apply(g, "a", gate("keyed: [{port: 80}]"));
    apply(g, "a", gate("set: [a, a]"));
    merge(g, "m", "{spec: {keyed: null, any: null}}");
  }

  @Test
  void statusOfCustomResources() {
    installGates();
    String g = GATES + "/h";
    String head = "apiVersion: apply.sluice.dev/v1, kind: Gate";
    String status = "{%s, metadata: {labels: {a: b}}, spec: {width: 7}, status: {open: true}}";
    write(
        "POST",
        GATES + "?fieldManager=k",
        "{%s, metadata: {name: h}, spec: {width: 1}}".formatted(head));
    apply(g + "/status", "a", status.formatted(head));
    merge(g + "/status", "q", "{status: {open: false, level: 2}, spec: {width: 3}}");
    apply(g + "/status", "a", status.formatted(head));
    apply(g, "a", "{%s, spec: {width: 1}, status: {level: 9}}".formatted(head));
    apply(g, "a", "{%s, spec: {width: 2}}".formatted(head));
  }
}
