package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.SelectorSection;
import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The section {@code integrations}: the kinds of jobs that are queued; and the namespace selector.
 */
final class IntegrationSection {
  /** The frameworks of all kinds that can be queued. */
  static final Set<String> SUPPORTED =
      Collections.unmodifiableSet(
          new TreeSet<>(List.of("batch/job", "pod", "jobset.x-k8s.io/jobset")));

  private static final List<String> POD_FRAMEWORKS =
      List.of("pod", "deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset");
  private static final Pattern KIND =
      Pattern.compile("[A-Z][A-Za-z0-9]{0,62}\\.[a-z][a-z0-9]{0,62}\\.[a-z0-9][-a-z0-9.]{0,252}");
  private static final String FRAMEWORKS = "frameworks";
  private static final String EXTERNAL = "externalFrameworks";
  private static final String SELECTOR = "managedJobsNamespaceSelector";

  /** The kinds of all frameworks, by their names. */
  private static final SortedMap<String, String> KINDS = kinds();

  private IntegrationSection() {}

  /** The contents of the section. */
  record Integrations(
      Set<String> frameworks, List<String> externalFrameworks, List<String> labelKeysToCopy) {}

  static Integrations read(Section root, FileVersion version) {
    Section section = root.section("integrations");
    Set<String> frameworks = frameworks(section);
    List<String> external = section.texts(EXTERNAL);
    checkExternal(section, external, frameworks);
    List<String> labels = section.texts("labelKeysToCopy");
    for (String label : labels) {
      if (!NameRules.isQualified(label)) {
        section.wrong("labelKeysToCopy", "\"%s\" is not the key of a label".formatted(label));
      }
    }
    if (version == FileVersion.V1BETA1) {
      section.noEffect("use " + SELECTOR + " instead", "podOptions");
    }
    section.end();
    return new Integrations(frameworks, external, labels);
  }

  private static Set<String> frameworks(Section section) {
    List<String> names = section.texts(FRAMEWORKS);
    var frameworks = new TreeSet<String>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String item = "%s[%d]".formatted(FRAMEWORKS, i);
      if (!KINDS.containsKey(name)) {
        section.wrong(
            item,
            "\"%s\" is no framework%s; there are: %s"
                .formatted(
                    name, Suggestion.of(name, KINDS.keySet()), String.join(", ", KINDS.keySet())));
      } else if (!frameworks.add(name)) {
        section.wrong(item, "\"%s\" is named twice; remove one".formatted(name));
      } else if (!SUPPORTED.contains(name)) {
        section.warn(item, "%s has no effect: Sluice does not queue this kind yet".formatted(name));
      }
    }
    return names.isEmpty()
        ? Collections.singleton("batch/job")
        : Collections.unmodifiableSet(frameworks);
  }

  private static void checkExternal(
      Section section, List<String> external, Set<String> frameworks) {
    var seen = new TreeSet<String>();
    frameworks.forEach(framework -> seen.add(KINDS.getOrDefault(framework, framework)));
    for (int i = 0; i < external.size(); i++) {
      String item = "%s[%d]".formatted(EXTERNAL, i);
      String kind = external.get(i);
      if (!KIND.matcher(kind).matches()) {
        section.wrong(item, "\"%s\" is not written like Kind.version.group".formatted(kind));
      } else if (!seen.add(kind)) {
        section.wrong(item, "\"%s\" is queued already; remove it".formatted(kind));
      }
    }
  }

  /**
   * The selector of the namespaces whose jobs are queued; system namespaces must not be selected.
   */
  static Tree namespaceSelector(Section root, String ownNamespace, Set<String> frameworks) {
    Tree fallback = SelectorSection.allNamespacesBut("kube-system", ownNamespace);
    if (!root.has(SELECTOR)) {
      return fallback;
    }
    Tree selector = SelectorSection.read(root.section(SELECTOR));
    if (POD_FRAMEWORKS.stream().anyMatch(frameworks::contains)) {
      for (String namespace : List.of("kube-system", ownNamespace)) {
        if (SelectorSection.selectsNamespace(selector, namespace)) {
          root.wrong(
              SELECTOR,
              "selects the namespace %s, whose pods must not wait in a queue; exclude it by its label %s"
                  .formatted(namespace, SelectorSection.NAMESPACE_NAME));
        }
      }
    }
    return selector;
  }

  private static SortedMap<String, String> kinds() {
    String table =
        """
        batch/job=Job.v1.batch
        pod=Pod.v1.
        deployment=Deployment.v1.apps
        statefulset=StatefulSet.v1.apps
        jobset.x-k8s.io/jobset=JobSet.v1alpha2.jobset.x-k8s.io
        leaderworkerset.x-k8s.io/leaderworkerset=LeaderWorkerSet.v1.leaderworkerset.x-k8s.io
        kubeflow.org/mpijob=MPIJob.v2beta1.kubeflow.org
        kubeflow.org/pytorchjob=PyTorchJob.v1.kubeflow.org
        kubeflow.org/tfjob=TFJob.v1.kubeflow.org
        kubeflow.org/xgboostjob=XGBoostJob.v1.kubeflow.org
        kubeflow.org/paddlejob=PaddleJob.v1.kubeflow.org
        kubeflow.org/jaxjob=JAXJob.v1.kubeflow.org
        trainer.kubeflow.org/trainjob=TrainJob.v1alpha1.trainer.kubeflow.org
        ray.io/rayjob=RayJob.v1.ray.io
        ray.io/raycluster=RayCluster.v1.ray.io
        ray.io/rayservice=RayService.v1.ray.io
        workload.codeflare.dev/appwrapper=AppWrapper.v1beta2.workload.codeflare.dev
        sparkoperator.k8s.io/sparkapplication=SparkApplication.v1beta2.sparkoperator.k8s.io
        """;
    var kinds = new TreeMap<String, String>();
    table.lines().map(line -> line.split("=", -1)).forEach(row -> kinds.put(row[0], row[1]));
    return Collections.unmodifiableSortedMap(kinds);
  }
}
