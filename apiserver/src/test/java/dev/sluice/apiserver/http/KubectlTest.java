package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Yaml;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** What people do: everything through the real kubectl, if this machine has one. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf("kubectlIsHere")
class KubectlTest {
  private final TestServer server = TestServer.start();

  static boolean kubectlIsHere() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "kubectl")));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Runs kubectl and returns what it says; it must succeed. */
  private String kubectl(String input, String... arguments) throws Exception {
    return run(input, true, arguments);
  }

  private String run(String input, boolean succeeds, String... arguments)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig", server.kubeconfig().toString()));
    command.addAll(List.of("--cache-dir", server.directory.resolve("cache").toString()));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(server.directory, "out", "");
    Path in = Files.writeString(Files.createTempFile(server.directory, "in", ""), input);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .redirectInput(in.toFile())
            .start();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(command + " hangs: " + Files.readString(out));
    }
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue() == 0).as("%s: %s", command, said).isEqualTo(succeeds);
    return said;
  }

  @Test
  void listsAsGetWritesThem() throws Exception {
    String map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: listed-%s}, data: {a: '1'}}";
    String list =
        "apiVersion: v1\nkind: List\nitems: [%s, %s]"
            .formatted(map.formatted("a"), map.formatted("b"));

    assertThat(kubectl(list, "create", "-f", "-"))
        .contains("configmap/listed-a created", "configmap/listed-b created");
    String written = kubectl("", "get", "cm", "listed-a", "listed-b", "-o", "yaml");
    assertThat(kubectl(written, "apply", "-f", "-")).contains("configmap/listed-b configured");
    assertThat(run(list.replace(", data:", ", dota:"), false, "apply", "-f", "-"))
        .contains("unknown field \"dota\"");
    assertThat(kubectl("", "delete", "cm", "listed-a", "listed-b")).contains("deleted");
  }

  @Test
  void configMaps() throws Exception {
    String one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: '1'}";
    String two = one.replace("'1'", "'2'");

    assertThat(kubectl(one, "apply", "-f", "-")).contains("configmap/one created");
    assertThat(kubectl(one, "apply", "-f", "-")).contains("configmap/one unchanged");
    assertThat(run(two, false, "diff", "-f", "-")).contains("+  a: \"2\"");
    assertThat(kubectl(two, "apply", "-f", "-")).contains("configmap/one configured");
    assertThat(kubectl("", "label", "cm", "one", "x=y")).contains("labeled");
    assertThat(kubectl("", "annotate", "cm", "one", "n=m")).contains("annotated");
    assertThat(kubectl("", "get", "cm", "-l", "x=y")).containsPattern("NAME +DATA +AGE\\none +1 ");
    assertThat(run(two.replace("\ndata:", "\ndota:"), false, "apply", "-f", "-"))
        .contains("unknown field");
    assertThat(kubectl("", "create", "configmap", "two", "--from-literal=a=b"))
        .contains("configmap/two created");
    assertThat(kubectl("", "delete", "cm", "one", "two")).contains("\"two\" deleted");
    assertThat(run("", false, "get", "cm", "one")).contains("NotFound");
  }

  @Test
  void serverSideApply() throws Exception {
    String one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ssa}\ndata: {a: '1'}";
    String two = one.replace("'1'", "'2'");
    String[] other = {"apply", "--server-side", "--field-manager=other", "-f", "-"};

    assertThat(kubectl(one, "apply", "--server-side", "-f", "-")).contains("serverside-applied");
    assertThat(run(two, false, other))
        .contains("Apply failed with 1 conflict: conflict with \"kubectl\": .data.a");
    kubectl(two, "apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", "-");
    assertThat(kubectl("", "get", "cm", "ssa", "-o", "yaml"))
        .contains("a: \"2\"")
        .doesNotContain("managedFields");
    assertThat(kubectl("", "get", "cm", "ssa", "-o", "yaml", "--show-managed-fields"))
        .contains("manager: other", "operation: Apply", "f:a: {}")
        .doesNotContain("manager: kubectl");
    kubectl(one.replace("{a:", "{b:"), "apply", "--server-side", "-f", "-");
    kubectl(one.replace("data: {a: '1'}", ""), other);
    assertThat(kubectl("", "get", "cm", "ssa", "-o", "jsonpath={.data}"))
        .isEqualTo("{\"b\":\"1\"}");
  }

  @Test
  void fromClientSideToServerSideApply() throws Exception {
    String one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: csa}\ndata: {a: '1', b: '1'}";

    kubectl(one, "apply", "-f", "-");
    kubectl(one.replace("b: '1'", "c: '1'"), "apply", "--server-side", "-f", "-");

    assertThat(kubectl("", "get", "cm", "csa", "-o", "jsonpath={.data}"))
        .isEqualTo("{\"a\":\"1\",\"c\":\"1\"}");
    assertThat(kubectl("", "get", "cm", "csa", "-o", "yaml", "--show-managed-fields"))
        .contains("manager: kubectl\n")
        .doesNotContain("kubectl-client-side-apply");
  }

  @Test
  void definitionsAndTheirObjects() throws Exception {
    String widget =
        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 3}";

    assertThat(kubectl(Yaml.write(DiscoveryTest.WIDGETS), "apply", "-f", "-"))
        .contains("widgets.example.com created");
    assertThat(
            kubectl(
                "",
                "wait",
                "--for=condition=Established",
                "crd/widgets.example.com",
                "--timeout=10s"))
        .contains("condition met");
    assertThat(kubectl(widget, "apply", "-f", "-")).contains("widget.example.com/w created");
    assertThat(kubectl(widget.replace("3", "4"), "apply", "-f", "-")).contains("configured");
    kubectl(
        "",
        "patch",
        "wd",
        "w",
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    assertThat(kubectl("", "wait", "--for=condition=Ready", "wd/w", "--timeout=10s"))
        .contains("condition met");
    kubectl(Yaml.write(DiscoveryTest.WIDGETS), "apply", "--server-side", "-f", "-");
    kubectl(widget.replace("3", "4"), "apply", "--server-side", "-f", "-");
    assertThat(kubectl("", "get", "wd")).containsPattern("NAME +SIZE +READY\\nw +4 +True");
    assertThat(kubectl("", "explain", "widget.spec.size")).contains("How large it is.");
    assertThat(kubectl("", "delete", "wd", "--all")).contains("\"w\" deleted");
    kubectl("", "delete", "crd", "widgets.example.com");
    assertThat(run("", false, "get", "widgets.example.com")).containsIgnoringCase("error");
  }

  @Test
  void jobsAndNamespaces() throws Exception {
    assertThat(kubectl("", "create", "namespace", "team")).contains("namespace/team created");
    assertThat(kubectl("", "-n", "team", "create", "job", "j", "--image=i", "--", "echo", "hi"))
        .contains("job.batch/j created");
    assertThat(kubectl("", "-n", "team", "get", "jobs"))
        .containsPattern("NAME +STATUS +COMPLETIONS +DURATION +AGE\\nj +Running +0/1 ");
    assertThat(kubectl("", "-n", "team", "describe", "job", "j"))
        .contains("Parallelism:      1", "Command:");
    assertThat(
            kubectl("", "-n", "team", "patch", "job", "j", "-p", "{\"spec\":{\"suspend\":true}}"))
        .contains("patched");
    assertThat(kubectl("", "-n", "team", "get", "job", "j", "-o", "yaml"))
        .contains("suspend: true", "kind: Job");
    assertThat(kubectl("", "explain", "job.spec.template.spec.containers"))
        .contains("image", "List of containers belonging to the pod.");
    assertThat(kubectl("", "-n", "team", "delete", "job", "j")).contains("\"j\" deleted");
  }

  @Test
  void questionsAboutTheServer() throws Exception {
    assertThat(kubectl("", "api-resources")).containsPattern("configmaps +cm +v1 +true +ConfigMap");
    assertThat(kubectl("", "version")).contains("v1.36.0+sluice");
    assertThat(kubectl("", "auth", "whoami")).contains("sluice-admin");
    assertThat(kubectl("", "auth", "can-i", "create", "pods")).contains("yes");
  }
}
